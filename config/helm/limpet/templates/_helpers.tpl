{{/* Labels of everything; called with the name of the part. */}}
{{- define "limpet.labels" -}}
{app.kubernetes.io/name: {{ . }}, app.kubernetes.io/part-of: limpet}
{{- end }}

{{- define "limpet.image" -}}
{{ .image.repository }}:{{ .image.tag | default .chart.AppVersion }}
{{- end }}

{{/* Whether the labels of a node hold all of a selector: "yes" or nothing. */}}
{{- define "limpet.selected" -}}
{{- $labels := .labels }}
{{- $all := gt (len .selector) 0 }}
{{- range $key, $value := .selector }}{{ if ne (get $labels $key | toString) ($value | toString) }}{{ $all = false }}{{ end }}{{ end }}
{{- if $all }}yes{{ end }}
{{- end }}

{{/* The list of targets in Prometheus' format: one group a node, by address. */}}
{{- define "limpet.targets" -}}
{{- $port := .Values.exporter.port }}
{{- $groups := list }}
{{- range .Values.targets.nodes }}
{{- $address := required "targets.nodes: each needs an address, such as {node: io01, address: 10.0.0.11}" .address }}
{{- $address = ternary (printf "[%s]" $address) $address (contains ":" $address) }}
{{- $labels := dict "node" (required "targets.nodes: each needs the name of its node" .node) "role" (.role | default "server") }}
{{- $groups = append $groups (dict "targets" (list (printf "%s:%v" $address $port)) "labels" $labels) }}
{{- end }}
{{- if not .Values.targets.nodes }}
{{- $targets := .Values.targets }}
{{- range (lookup "v1" "Node" "" "").items | default list }}
{{- $role := "" }}
{{- if include "limpet.selected" (dict "labels" .metadata.labels "selector" $targets.clientSelector) }}{{ $role = "client" }}{{ end }}
{{- if include "limpet.selected" (dict "labels" .metadata.labels "selector" $targets.serverSelector) }}{{ $role = "server" }}{{ end }}
{{- $address := "" }}
{{- range .status.addresses }}{{ if and (eq .type "InternalIP") (not $address) }}{{ $address = .address }}{{ end }}{{ end }}
{{- if and $role $address }}
{{- $address = ternary (printf "[%s]" $address) $address (contains ":" $address) }}
{{- $groups = append $groups (dict "targets" (list (printf "%s:%v" $address $port)) "labels" (dict "node" .metadata.name "role" $role)) }}
{{- end }}
{{- end }}
{{- end }}
{{- if not (or $groups .Values.diagnoser.config.targets) }}
{{- fail "no targets: name them in targets.nodes, or set targets.serverSelector to labels that nodes of this cluster have" }}
{{- end }}
{{- toJson $groups }}
{{- end }}
