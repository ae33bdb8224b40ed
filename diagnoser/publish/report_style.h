// report_style.h: the style sheet of a report: light, dark and printed; the colours of the live
// page (diagnoser/page/styles/tokens.css).
//
// Threads: a constant.
#pragma once

#include <string_view>

namespace limpet {

inline constexpr std::string_view kReportStyle = R"(
:root { --background: #f6f7f9; --surface: #fff; --border: #dde1e7; --text: #1b2430; --muted: #5c6773;
  --storage: #c8401a; --network: #7d3fa6; --behaviour: #8a6100; --good: #2d7a4f; --peers: #3a7ca5;
  --band: #cfe0ea; --span: #fbeee4; color-scheme: light dark; }
@media (prefers-color-scheme: dark) { :root { --background: #11161c; --surface: #1a2129;
  --border: #2b3541; --text: #e6ebf1; --muted: #97a3b0; --storage: #ff8055; --network: #cd93ee;
  --behaviour: #e9b949; --good: #6cc495; --peers: #7fb6d6; --band: #2c4152; --span: #33291f; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--background); color: var(--text);
  font: 15px/1.5 Inter, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 1000px; margin: 0 auto; padding: 24px 16px 64px; }
h1 { font-size: 26px; line-height: 1.25; margin: 0 0 4px; }
h2 { font-size: 19px; margin: 36px 0 10px; }
h3 { font-size: 16px; margin: 0 0 6px; }
p { margin: 6px 0; }
.lead { font-size: 17px; margin: 14px 0 0; }
.muted { color: var(--muted); }
section > article, figure, .card { background: var(--surface); border: 1px solid var(--border);
  border-radius: 8px; padding: 14px 16px; margin: 0 0 14px; overflow-wrap: anywhere; }
.cause { display: inline-block; border-radius: 4px; padding: 0 7px; font-size: 14px;
  border: 1px solid currentColor; }
.cause.storage { color: var(--storage); } .cause.network { color: var(--network); }
.cause.behaviour { color: var(--behaviour); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: 5px 12px 5px 0; border-bottom: 1px solid var(--border);
  vertical-align: top; }
th { color: var(--muted); font-weight: 600; white-space: nowrap; }
td.number, th.number { text-align: right; }
svg { display: block; width: 100%; height: auto; margin: 10px 0 2px; }
svg text { font-size: 12px; fill: var(--text); }
svg .name { font-weight: 600; }
svg .tick { fill: var(--muted); font-size: 11px; }
svg .grid { stroke: var(--border); stroke-width: 1; }
svg .row { stroke: var(--border); stroke-dasharray: 2 4; }
svg .band { fill: var(--band); } svg .span { fill: var(--span); }
svg .median { fill: none; stroke: var(--peers); stroke-width: 1.5; stroke-dasharray: 5 3; }
svg .own { fill: none; stroke: var(--storage); stroke-width: 2; stroke-linejoin: round; }
svg .dot { fill: var(--storage); }
svg .storage { fill: var(--storage); } svg .network { fill: var(--network); }
svg .behaviour { fill: var(--behaviour); } svg .secondary { opacity: .4; }
.key { font-size: 13px; color: var(--muted); }
.key i { display: inline-block; width: 18px; height: 10px; margin: 0 5px 0 12px; border-radius: 2px; }
.key i:first-child { margin-left: 0; }
.key i.own { background: var(--storage); } .key i.band { background: var(--band); }
.key i.span { background: var(--span); border: 1px solid var(--border); }
.key i.median { background: var(--peers); height: 3px; vertical-align: middle; }
.key i.storage { background: var(--storage); } .key i.network { background: var(--network); }
.key i.behaviour { background: var(--behaviour); }
pre { font-size: 13px; overflow-x: auto; margin: 8px 0 0; }
summary { cursor: pointer; }
ul { margin: 6px 0; padding-left: 20px; }
@media print { body { background: #fff; } section > article, figure { break-inside: avoid; } }
)";

}  // namespace limpet
