// Made of docs/openapi.yaml by scripts/page types.
export interface components {
    schemas: {
        Error: {
            /** @enum {string} */
            error: "bad_request" | "not_found" | "too_many_viewers" | "not_ready" | "unavailable" | "forbidden" | "unsupported" | "method_not_allowed";
            /** @description for people */
            reason: string;
        };
        /** @description one of causes of /api/v1/cluster; a later version may know more */
        Cause: string;
        NullableNumber: number | null;
        Numbers: components["schemas"]["NullableNumber"][];
        Cluster: {
            /** @description of the latest data */
            time: number;
            /** @description rises whenever nodes */
            version: number;
            /** @description version of the program */
            program: string;
            /** @description its address (web.grafana), for links to dashboards */
            grafana?: string | null;
            /** @description false: a finished replay */
            live: boolean;
            /** @description of a replay */
            recording: {
                begin: number;
                end: number;
            } | null;
            presets: {
                preset: string;
                step_seconds: number;
                window_seconds: number;
                /** @description between window ends */
                shift_seconds: number;
                /** @description flagged when anomalous in k of the last 2k-1 windows */
                k: number;
                /** @description how soon after it begins a difference is named, by how large it is; one a time scale, the soonest first */
                named_after: {
                    /** @description how many times its peers' level it must reach */
                    times_peers: number;
                    usual_seconds: number;
                    most_seconds: number;
                }[];
            }[];
            /** @description by name; frames name them by their place here */
            nodes: components["schemas"]["Node"][];
            peer_groups: {
                peer_group: string;
                preset: string;
                /** @enum {string} */
                kind: "storage" | "network" | "cwnd";
                /** @description of its nodes */
                roles: string[];
                /** @description labels */
                metrics: string[];
                taking_part: number;
                missing: number;
                masked: number;
            }[];
            metrics: {
                /** @description label */
                metric: string;
                /** @description in events, as in the papers */
                name: string;
                /** @description for people */
                text: string;
                /** @description of all values in these answers; may be empty */
                unit: string;
                /** @enum {string} */
                kind: "storage" | "network" | "cwnd" | "host" | "custom";
            }[];
            /** @description the column cause of a frame is a place in it */
            causes: components["schemas"]["Cause"][];
            /** @description of a federation: its diagnosers; names of nodes, components and peer groups begin with one and a slash, ids with one and a dot */
            members?: string[];
        };
        Node: {
            node: string;
            /** @description empty when not known */
            role: string;
            up: boolean | null;
            labels: {
                [key: string]: string;
            };
            peer_groups: string[];
            components: {
                /** @description "node/device", or "node" */
                component: string;
                device: string | null;
                peer_group: string;
            }[];
        };
        Verdict: {
            /** @description of /api/v1/evidence/{id}; the same in a replay; a restart begins another */
            id: string;
            node: string;
            preset: string;
            cause: components["schemas"]["Cause"];
            /** @description when it began in the data: the onset within the first anomalous window */
            since: number;
            /** @description first window end at which it was indicted; while it is secondary, at which it had the verdict */
            named: number;
            /** @description first window end with it, as in id */
            begin: number;
            /** @description first window end without it; null: it goes on */
            end: number | null;
            /** @description last window end with it */
            last: number;
            /** @description at its worst; false: it was secondary throughout */
            indicted: boolean;
            /** @description the node that explains it now (at its end) */
            secondary_to: string | null;
            /** @description now (at its end) */
            rank: number;
            /** @description the largest */
            degree: number;
            /** @description its leading evidence: device, factor and amount, such as "await of io04/sdb 5.04× its peers, +57.2 ms" */
            reason: string;
            /** @description as a sentence */
            text: string;
        };
        WholeFrame: {
            /** @description by the clock of this diagnoser */
            now: number;
            frame: components["schemas"]["Frame"];
        };
        /** @description without a frame when no readings of then are kept */
        Past: {
            /** @description of the oldest readings that are kept */
            since: number | null;
            /** @description of the means */
            begin?: number;
            end?: number;
            frame?: components["schemas"]["Frame"];
            /** @description of a federation, the diagnosers that have none of then */
            missing?: string[];
        };
        Members: {
            members: {
                member: string;
                url: string;
                /** @description its version; null when it has never answered */
                program: string | null;
                /** @description where dashboards of its nodes are (its web.grafana) */
                grafana?: string | null;
                nodes: number;
                /** @description when last, by the federation's clock */
                answered: number | null;
                clock_ahead_seconds: components["schemas"]["NullableNumber"];
                /** @description why it is to be read with care; none when all is well */
                marks: {
                    /** @enum {string} */
                    mark: "down" | "late" | "version" | "clock" | "names";
                    /** @description such as "has not answered for 12 s: connection refused" */
                    text: string;
                }[];
            }[];
        };
        Targets: {
            targets: {
                node: string;
                role: string;
                labels: {
                    [key: string]: string;
                };
                url: string;
                up: boolean;
                /** @description for people; empty when up */
                error: string;
                reason: string | null;
                last_scrape: number | null;
                scrape_duration_seconds: number;
                samples: number;
                scrapes: number;
                consecutive_failures: number;
                clock_skew_seconds: number | null;
            }[];
        };
        Incidents: {
            /** @description false: limit was reached, there may be older ones */
            complete: boolean;
            incidents: components["schemas"]["IncidentRow"][];
        };
        IncidentRow: {
            id: string;
            cluster: string;
            node: string;
            cause: components["schemas"]["Cause"];
            family: string;
            indicted: boolean;
            preset: string;
            metric: string;
            /** @enum {string} */
            state: "open" | "ended";
            since: number;
            named: number;
            last: number;
            ended: number | null;
            ending: string;
            degree: number;
            episodes: number;
            text: string;
        };
        /** @description more keys: docs/formats/verdict.v1.json */
        Incident: components["schemas"]["IncidentRow"] & {
            /** @enum {string} */
            schema: "limpet.verdict.v1";
            component?: string | null;
            next_step?: string;
            storms?: string[];
            shared_parts?: string[];
            answers: components["schemas"]["Answer"][];
            acts: {
                at: number;
                step: string;
                state: string;
                reason: string;
            }[];
        };
        /** @enum {string} */
        AnswerKind: "fixed" | "false-alarm" | "known" | "maintenance" | "scrub";
        Answer: {
            at: number;
            as: components["schemas"]["AnswerKind"];
            until: number | null;
            note: string;
            by: string;
        };
        AnswerRequest: {
            as: components["schemas"]["AnswerKind"];
            /** @description a duration such as 2h, or Unix seconds; maintenance wants it */
            until?: string;
            note?: string;
            by?: string;
        };
        Precision: {
            days: number;
            precision: {
                cause: string;
                metric: string | null;
                right: number;
                wrong: number;
                precision: number;
            }[];
        };
        VerdictHistory: {
            from: number;
            to: number;
            /** @description earlier ones may have been dropped or are from before the start */
            complete_since: number | null;
            /** @description by begin */
            verdicts: components["schemas"]["Verdict"][];
        };
        Groups: {
            groups: {
                peer_group: string;
                preset: string;
                window_end: number | null;
                taking_part: number;
                missing: number;
                masked: number;
                /** @description metrics in which many components are flagged at once */
                storms: string[];
            }[];
            disk_kinds: {
                peer_group: string;
                /** @description such as "12 disks in two kinds: sda (system), sdb (data)" */
                kinds: string;
                /** @description disks that are compared with nobody, and the line of YAML that would place each */
                alone: string[];
            }[];
        };
        Judged: {
            /** @description servers with a verdict */
            limps: number;
            /** @description servers that windows of late have compared and that have no verdict */
            like_peers: number;
            /** @description servers of which nothing can be said: not healthy, not sick */
            not_judged: number;
            /** @description nodes that no peer group takes anything of, such as clients */
            in_no_group: number;
            /** @description while none is possible: when the first will be */
            first_verdict: number | null;
            /** @description all of it as a sentence */
            text: string;
            servers: components["schemas"]["JudgedServer"][];
        };
        JudgedServer: {
            node: string;
            /** @enum {string} */
            state: "limps" | "like-peers" | "not-judged";
            /**
             * @description of those that are not judged
             * @enum {string|null}
             */
            reason: null | "no-answer" | "no-readings" | "masked" | "no-peer-group" | "too-few-peers" | "two-kinds" | "too-early" | "step" | "no-window";
            /** @description such as "not judged: masked" */
            text: string;
            /** @description end of the latest window that compared it */
            compared: number | null;
            /** @description too-early: the first window end at which it may have a verdict */
            first_verdict: number | null;
        };
        Series: {
            component: string;
            peer_group: string;
            preset: string;
            metric: string;
            unit: string;
            /** @description between two points where nothing is missing */
            step_seconds: number;
            /** @description window ends, or ends of steps */
            time: number[];
            value: components["schemas"]["Numbers"];
            peer_median: components["schemas"]["Numbers"];
            peer_low: components["schemas"]["Numbers"];
            peer_high: components["schemas"]["Numbers"];
            degree?: components["schemas"]["Numbers"];
        };
        SeriesList: {
            node: string;
            series: components["schemas"]["Series"][];
        };
        Activity: {
            node: string;
            /** @description end of the step of five seconds that disks and operations are of */
            time: number | null;
            disks: {
                /** @description bytes, rising; the last bucket of sizes holds everything larger */
                edges: number[];
                read: components["schemas"]["DiskActivity"];
                write: components["schemas"]["DiskActivity"];
            } | null;
            operations: {
                /** @description of the processes: server or client */
                role: string;
                operation: string;
                /** @description system calls a second */
                rate: number;
                /** @description mean of each */
                seconds: number | null;
            }[];
            /** @description mean seconds of a request at the disks, and metadata operations a second of the servers, by step */
            history: {
                time: number[];
                small_reads: (number | null)[];
                large_reads: (number | null)[];
                small_writes: (number | null)[];
                large_writes: (number | null)[];
                metadata: (number | null)[];
            };
        };
        /** @description requests of all disks in one direction; small: up to 64 KiB */
        DiskActivity: {
            /** @description requests a second of each size; one more than edges */
            sizes: number[];
            small: components["schemas"]["RequestRate"];
            large: components["schemas"]["RequestRate"];
        };
        RequestRate: {
            /** @description requests a second */
            rate: number;
            /** @description mean time of each, in the queue and at the device */
            seconds: number | null;
        };
        Heat: {
            begin: number;
            step_seconds: number;
            steps: number;
            scale: components["schemas"]["Scale"];
            nodes: {
                node: string;
                /** @description [first step, number of steps, value 0..255]; steps in no run are not known */
                runs: number[][];
            }[];
        };
        /** @description linear: low + value / 255 * (high - low). log: 0 for value 0, else low * (high / low) ^ ((value - 1) / 254). index: a place in a list of /api/v1/cluster or, for up, 0 or 1. */
        Scale: {
            /** @enum {string} */
            kind: "linear" | "log" | "index";
            low: number;
            high: number;
        };
        Frame: {
            /** @description of the latest data in it */
            time: number;
            base: boolean;
            /** @description base only: of the /api/v1/cluster whose node order it uses */
            version?: number;
            /** @description base only */
            columns?: {
                /** @enum {string} */
                name: "load" | "util" | "space" | "disk_read" | "disk_write" | "net_in" | "net_out" | "metadata" | "small_writes" | "large_writes" | "cpu" | "system_load" | "degree" | "cause" | "up";
                unit: string;
                text: string;
                scale: components["schemas"]["Scale"];
            }[];
            /** @description [place of the node in /api/v1/cluster, then a value 0..255 or null for each column] */
            rows: (number | null)[][];
        };
        Top: {
            window_ends: {
                [key: string]: number;
            };
            persistent: {
                preset: string;
                metric: string;
                peer_group: string;
                component: string;
                accumulator: number;
                flagged: boolean;
                degree: number;
                cause: string | null;
                kind: string | null;
            }[];
            /** @description with hourly=1 */
            hourly?: {
                preset: string;
                metric: string;
                /** @description "20231115.22: 8 io:io02/sdb", one an hour, oldest first */
                rows: string[];
            }[];
        };
        Evidence: {
            verdict: components["schemas"]["Verdict"];
            /** @description in the order of the checklist */
            metrics: components["schemas"]["EvidenceMetric"][];
            checklist: {
                step: number;
                /** @description whether this server shows it */
                found: boolean;
                /** @description this step gave the cause; true at most once */
                decided: boolean;
                /** @description what was looked for and what it found */
                text: string;
            }[];
            facts: string[];
            next_step: string;
        };
        EvidenceMetric: {
            component: string;
            peer_group: string;
            metric: string;
            unit: string;
            /** @description time scale that saw it; empty: the preset's own windows */
            scale: string;
            /** @enum {string} */
            direction: "none" | "low" | "high";
            degree: number;
            threshold: number;
            /** @enum {string} */
            threshold_origin: "default" | "trained" | "group";
            effect_ratio: components["schemas"]["NullableNumber"];
            mean: components["schemas"]["NullableNumber"];
            peer_median: components["schemas"]["NullableNumber"];
            peers: number;
            far: number | null;
            far_peers: string[];
            near_peers: string[];
            accumulator: number;
            episodes: number;
            text: string;
            background: string;
            /** @description the last 2k-1 of them; those that are anomalous decided */
            windows: {
                begin: number;
                end: number;
                degree: components["schemas"]["NullableNumber"];
                threshold: components["schemas"]["NullableNumber"];
                effect_ratio: components["schemas"]["NullableNumber"];
                /** @enum {string} */
                direction: "none" | "low" | "high";
                anomalous: boolean;
            }[];
            /** @description every step of the windows that decided, as far as kept */
            series: components["schemas"]["Series"] | null;
            /** @description window means over the hours kept, for the context */
            means: components["schemas"]["Series"] | null;
            /** @description of the samples in the last window that decided; shares that add up to 1 */
            distributions: {
                /** @description one more than bins */
                edges: number[];
                component: number[];
                peers: number[];
            } | null;
        };
    };
}
