// types.ts: the answers of the API by their short names; schema.ts is generated from docs/openapi.yaml.
import type { components } from "./schema";

type Schemas = components["schemas"];

export type Cluster = Schemas["Cluster"];
export type ClusterNode = Schemas["Node"];
export type Metric = Cluster["metrics"][number];
export type PeerGroup = Cluster["peer_groups"][number];
export type Verdict = Schemas["Verdict"];
export type VerdictHistory = Schemas["VerdictHistory"];
export type Groups = Schemas["Groups"];
export type Members = Schemas["Members"];
export type Member = Members["members"][number];
export type Precision = Schemas["Precision"];
export type IncidentList = Schemas["Incidents"];
export type IncidentRow = Schemas["IncidentRow"];
export type AnswerRequest = Schemas["AnswerRequest"];
export type Judged = Schemas["Judged"];
export type JudgedServer = Schemas["JudgedServer"];
export type Evidence = Schemas["Evidence"];
export type EvidenceMetric = Schemas["EvidenceMetric"];
export type Distributions = NonNullable<EvidenceMetric["distributions"]>;
export type Series = Schemas["Series"];
export type SeriesList = Schemas["SeriesList"];
export type Top = Schemas["Top"];
export type Persistent = Top["persistent"][number];
export type Activity = Schemas["Activity"];
export type RequestRate = Schemas["RequestRate"];
export type Heat = Schemas["Heat"];
export type Scale = Schemas["Scale"];
export type Past = Schemas["Past"];
export type Frame = Schemas["Frame"];
export type Column = NonNullable<Frame["columns"]>[number];
export type ColumnName = Column["name"];
