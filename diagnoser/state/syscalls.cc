#include "diagnoser/state/syscalls.h"

#include <string>
#include <utility>

#include "diagnoser/state/tails.h"

namespace limpet {
namespace {

// Reads one instant after the other; the first that makes no sense spoils the rest.
class Instants {
 public:
  explicit Instants(ByteReader& in) : in_(&in) {}
  UnixTime Next() {
    const auto at = ReadInstant(*in_);
    wrong_ = wrong_ || !at;
    return at.value_or(UnixTime());
  }
  [[nodiscard]] bool Wrong() const { return wrong_ || in_->Failed(); }

 private:
  ByteReader* in_;
  bool wrong_ = false;
};

void WriteInstant(UnixTime at, ByteWriter& out) { out.Fixed(Nanoseconds(at), 8); }

void Write(const SyscallMemory::Failure& failure, ByteWriter& out) {
  out.Text(failure.client);
  out.Text(failure.peer);
  WriteInstant(failure.from, out);
  WriteInstant(failure.to, out);
  out.Text(failure.error);
}

SyscallMemory::Failure ReadFailure(ByteReader& in, Instants& instants) {
  SyscallMemory::Failure failure;
  failure.client = in.Text();
  failure.peer = in.Text();
  failure.from = instants.Next();
  failure.to = instants.Next();
  failure.error = in.Text();
  return failure;
}

void Write(const BrokenServer& broken, ByteWriter& out) {
  out.Text(broken.server);
  out.Fixed(static_cast<std::uint64_t>(broken.what), 1);
  WriteInstant(broken.since, out);
  WriteInstant(broken.last, out);
  out.Text(broken.client);
  out.Text(broken.error);
  out.Text(broken.call);
  out.Fixed(static_cast<std::uint64_t>(broken.open.count()), 8);
  out.Fixed(static_cast<std::uint64_t>(broken.kind), 1);
  out.Fixed(broken.contact ? 1 : 0, 1);
  WriteInstant(broken.contact.value_or(UnixTime()), out);
  out.Count(broken.clients);
}

// nullopt: a number of no enumerator.
std::optional<BrokenServer> ReadBroken(ByteReader& in, Instants& instants) {
  BrokenServer broken;
  broken.server = in.Text();
  const auto what = in.Fixed(1);
  broken.since = instants.Next();
  broken.last = instants.Next();
  broken.client = in.Text();
  broken.error = in.Text();
  broken.call = in.Text();
  broken.open = Duration(static_cast<Duration::rep>(in.Fixed(8)));
  const auto kind = in.Fixed(1);
  const bool has_contact = in.Fixed(1) != 0;
  const auto contact = instants.Next();
  broken.clients = static_cast<std::size_t>(in.Count());
  if (what > static_cast<std::uint64_t>(Breakage::kHang) ||
      kind > static_cast<std::uint64_t>(LastCall::kFailed) || broken.open < Duration::zero()) {
    return std::nullopt;
  }
  broken.what = static_cast<Breakage>(what);
  broken.kind = static_cast<LastCall>(kind);
  broken.contact = has_contact ? std::optional(contact) : std::nullopt;
  return broken;
}

void Write(const PropagatedError& found, ByteWriter& out) {
  const auto& server = found.server;
  for (const auto* text : {&server.node, &server.role, &server.path, &server.call, &server.error}) {
    out.Text(*text);
  }
  WriteInstant(server.from, out);
  WriteInstant(server.to, out);
  out.Count(server.count);
  for (const auto* text : {&found.client_node, &found.client_call, &found.client_error}) {
    out.Text(*text);
  }
  WriteInstant(found.client_at, out);
  WriteInstant(found.last, out);
}

PropagatedError ReadPropagated(ByteReader& in, Instants& instants) {
  PropagatedError found;
  auto& server = found.server;
  for (auto* text : {&server.node, &server.role, &server.path, &server.call, &server.error}) {
    *text = in.Text();
  }
  server.from = instants.Next();
  server.to = instants.Next();
  server.count = in.Count();
  for (auto* text : {&found.client_node, &found.client_call, &found.client_error}) {
    *text = in.Text();
  }
  found.client_at = instants.Next();
  found.last = instants.Next();
  return found;
}

}  // namespace

void WriteSyscalls(const SyscallMemory& memory, ByteWriter& out) {
  WriteInstant(memory.second, out);
  out.Count(memory.failures.size());
  for (const auto& failure : memory.failures) {
    Write(failure, out);
  }
  out.Count(memory.broken.size());
  for (const auto& broken : memory.broken) {
    Write(broken, out);
  }
  out.Count(memory.propagated.size());
  for (const auto& found : memory.propagated) {
    Write(found, out);
  }
}

std::optional<SyscallMemory> ReadSyscalls(ByteReader& in) {
  SyscallMemory memory;
  Instants instants(in);
  memory.second = instants.Next();
  // A wrong count ends with the bytes: each element takes some.
  for (auto count = in.Count(); count > 0 && !instants.Wrong(); --count) {
    memory.failures.push_back(ReadFailure(in, instants));
  }
  for (auto count = in.Count(); count > 0 && !instants.Wrong(); --count) {
    auto broken = ReadBroken(in, instants);
    if (!broken) {
      return std::nullopt;
    }
    memory.broken.push_back(*std::move(broken));
  }
  for (auto count = in.Count(); count > 0 && !instants.Wrong(); --count) {
    memory.propagated.push_back(ReadPropagated(in, instants));
  }
  return instants.Wrong() ? std::nullopt : std::optional(std::move(memory));
}

}  // namespace limpet
