workspace "archmem" "The architecture of archmem itself; CI holds it to the code." {

    !identifiers hierarchical

    model {
        agent = person "Coding agent" "Recalls before it works, remembers after."
        developer = person "Developer" "Writes, confirms and supersedes memories; reads the knowledge map."
        repository = softwareSystem "Git repository" "The code, the model files and the decisions of a project." "External"

        archmem = softwareSystem "archmem" "Memories pinned to an architecture model, distrusted when the code behind them moves." {
            !adrs ../../docs/adr

            server = container "Server" "Every way in; the only place that wires things up." "Python" {
                cli = component "CLI" "The archmem command." "click" {
                    properties {
                        "path" "server/cli"
                    }
                }
                rest = component "REST" "The HTTP service." "FastAPI" {
                    properties {
                        "path" "server/rest"
                    }
                }
                wiring = component "Wiring" "Settings, the workplace, and the choice of store and embedder." {
                    properties {
                        "path" "server/settings.py; server/bootstrap.py; server/workplace.py; server/projects.py"
                    }
                }
                doctor = component "Doctor" "Says what is wrong with an installation." {
                    properties {
                        "path" "server/doctor.py; server/examining.py"
                    }
                }
                agents = component "MCP" "Tools, resources and prompts for agents, by standard input and output or HTTP." "mcp" {
                    properties {
                        "path" "server/mcp_door; server/rest/agents.py"
                    }
                }
                installing = component "Installing" "Puts archmem into the settings of clients and takes it out again." {
                    properties {
                        "path" "server/installing"
                    }
                }
                hooks = component "Hooks" "What clients call by themselves: at a session's start and end, and before an edit." {
                    properties {
                        "path" "server/hooks"
                    }
                }
                jobs = component "Jobs" "What a server does by itself, under a lease." "APScheduler" {
                    properties {
                        "path" "server/jobs; server/watching.py; server/repositories.py; server/schedules.py"
                    }
                }
                demo = component "Demo" "The main job, step by step, on the bookshop." {
                    properties {
                        "path" "server/demo"
                    }
                }
                properties {
                    "path" "server"
                }
            }

            drift = container "Drift" "The documented model against the repository; reads git, never writes the graph." "Python" {
                git = component "Repository" "Commits, trees and blobs, read from git objects alone." "GitPython" {
                    properties {
                        "path" "drift/repository.py; drift/clones.py; drift/addresses.py; drift/history.py; drift/trees.py; drift/raw.py; drift/changes.py"
                    }
                }
                check = component "Drift check" "Verdicts, baselines, anchors, landing times, score." {
                    properties {
                        "path" "drift/check.py; drift/verdicts.py; drift/baselines.py; drift/anchors.py; drift/scores.py"
                    }
                }
                rendering = component "Rendering" "A judged report in each format; what fails a check and what is known." {
                    properties {
                        "path" "drift/rendering; drift/results.py; drift/wording.py; drift/checked.py; drift/ratchet.py"
                    }
                }
                significance = component "Significance" "Which change of a file counts." {
                    properties {
                        "path" "drift/significance.py; drift/normal_form.py; drift/pieces.py; drift/layouts.py; drift/directives.py; drift/lexing.py; drift/attributes.py"
                    }
                }
                evidence = component "Evidence" "What became of the claims of memories." "tree-sitter" {
                    properties {
                        "path" "drift/evidence.py; drift/standing.py; drift/details.py; drift/symbols.py; drift/defining.py; drift/syntax.py; drift/grammars.py; drift/literals.py"
                    }
                }
                dependencies = component "Dependencies" "The imports between elements beside the relationships of the model." {
                    properties {
                        "path" "drift/dependencies"
                    }
                }
                manifests = component "Manifests" "What packages, images and compose files say; read leniently, never run." "PyYAML" {
                    properties {
                        "path" "drift/manifests"
                    }
                }
                mapping = component "Mapping" "Proposes paths for elements without source." {
                    properties {
                        "path" "drift/mapping"
                    }
                }
                inferring = component "Inferring" "A first model from the repository itself." {
                    properties {
                        "path" "drift/inferring"
                    }
                }
                properties {
                    "path" "drift"
                }
            }

            graph = container "Graph" "Elements, memories, links; remember, recall, coverage. No git, no web framework, no clock of its own." "Python" {
                facade = component "Façade" "Everything that doors do with memories, one method each." {
                    properties {
                        "path" "graph/memory_graph.py; graph/work_graph.py; graph/service_graph.py"
                    }
                }
                remembering = component "Remember" "Store a fact, or confirm the memory that holds it." {
                    properties {
                        "path" "graph/remembering.py; graph/dedup.py; graph/changing.py"
                    }
                }
                recalling = component "Recall" "Nominate, score in the core, pull in what is linked, say it within the budget." {
                    properties {
                        "path" "graph/recalling.py; graph/ranking.py; graph/quoting.py; graph/terms.py"
                    }
                }
                links = component "Wiki links" "Which links stand in a text, and what they lead to." {
                    properties {
                        "path" "graph/wiki_links.py; graph/indexing.py"
                    }
                }
                sessions = component "Sessions" "A gate, leases that silence loses, a briefing before the work and one outcome after it." {
                    properties {
                        "path" "graph/working.py; graph/leasing.py; graph/heartbeat.py; graph/holding.py; graph/briefing.py; graph/left_open.py; graph/pages.py; graph/edit_notes.py; graph/noting.py; graph/outcomes.py; graph/manifest.py"
                    }
                }
                finding = component "Finding elements" "Which elements a task means, and what a change of one touches." {
                    properties {
                        "path" "graph/locating.py; graph/describing.py; graph/impact.py; graph/planning.py; graph/traversals.py"
                    }
                }
                inbox = component "Review inbox" "What a person should look at, and what they decide." {
                    properties {
                        "path" "graph/waiting.py; graph/reviewing.py; graph/dismissing.py; graph/merging.py; graph/proposing.py"
                    }
                }
                flagging = component "Drift flags" "What a drift run means for memories." {
                    properties {
                        "path" "graph/flagging.py"
                    }
                }
                access = component "Access keys" "Who may ask, for which projects, and how much." {
                    properties {
                        "path" "graph/access.py; graph/admitting.py"
                    }
                }
                secrets = component "Secrets" "Known by the shape of their values: refused, or redacted where captured." {
                    properties {
                        "path" "graph/secrets.py"
                    }
                }
                coverage = component "Coverage" "The knowledge map in numbers." {
                    properties {
                        "path" "graph/coverage.py"
                    }
                }
                readers = component "Model readers" "Every format of model files, source extraction, decision records." {
                    properties {
                        "path" "graph/c4"
                    }
                }
                embedders = component "Embedders" "Texts become vectors." "ONNX Runtime" {
                    properties {
                        "path" "graph/embedders"
                    }
                }
                exports = component "Exports" "Everything in the store as sealed JSON lines, and back; from one store into another." {
                    properties {
                        "path" "graph/export_file.py; graph/exporting.py; graph/importing.py; graph/migrating.py"
                    }
                }
                neo4j = component "Neo4j store" "One database for many machines." "Neo4j driver" {
                    properties {
                        "path" "graph/stores/neo4j"
                    }
                }
                held = component "Held rows" "What a process holds of memories, to look at every one." "numpy" {
                    properties {
                        "path" "graph/stores/held.py; graph/stores/holdings.py; graph/stores/nomination.py; graph/stores/matrix.py"
                    }
                }
                port = component "Store port" "Domain verbs by capability, over one unit of work; the one check of who may ask in front of it." {
                    properties {
                        "path" "graph/stores/port.py; graph/stores/transfer.py; graph/stores/rows.py; graph/stores/entries.py; graph/stores/guarded.py"
                    }
                }
                sqlite = component "Embedded store" "One SQLite file for all projects." "apsw" {
                    properties {
                        "path" "graph/stores/sqlite"
                    }
                }
                properties {
                    "path" "graph"
                }
            }

            database = container "Neo4j" "The graph of a team, where one machine is not enough." "Neo4j 5.26 or 2026" "Database"

            server.cli -> graph.facade "calls in process"
            server.rest -> graph.facade "calls in process"
            server.agents -> graph.facade "calls in process"
            server.agents -> server.wiring "is set up by"
            server.cli -> server.agents "starts"
            server.rest -> server.agents "serves"
            server.cli -> drift.check "checks"
            server.wiring -> graph.sqlite "chooses"
            server.wiring -> graph.embedders "chooses"
            server.demo -> graph.facade "shows"
            server.cli -> drift.mapping "asks"
            server.cli -> drift.inferring "asks"
            drift.mapping -> drift.manifests "reads"
            drift.inferring -> drift.manifests "reads"
            drift.check -> drift.git "reads"
            drift.check -> drift.significance "asks"
            drift.check -> graph.readers "reads old and new models by"
            graph.facade -> graph.remembering
            graph.facade -> graph.recalling
            graph.facade -> graph.flagging
            graph.facade -> graph.sessions
            graph.facade -> graph.finding
            graph.facade -> graph.inbox
            graph.sessions -> graph.recalling "briefs by"
            graph.sessions -> graph.finding "learns what a task is about from"
            graph.sessions -> graph.remembering "writes outcomes by"
            graph.sessions -> graph.links
            graph.sessions -> graph.port
            graph.remembering -> graph.sessions "takes a write for a heartbeat of"
            graph.finding -> graph.sessions "tells who holds what by"
            graph.finding -> graph.recalling "finds terms and quotes by"
            graph.finding -> graph.embedders "asks"
            graph.finding -> graph.links "makes keys by"
            graph.finding -> graph.port
            graph.inbox -> graph.remembering "changes memories by"
            graph.inbox -> graph.recalling "quotes by"
            graph.inbox -> graph.sessions "takes a proposal for a heartbeat of"
            graph.inbox -> graph.links
            graph.inbox -> graph.port
            graph.flagging -> graph.remembering "marks memories by"
            server.agents -> server.jobs "finds the commit that was checked last by"
            server.agents -> server.rest "takes its scope from"
            server.hooks -> graph.facade "calls in process"
            server.cli -> server.hooks "answers clients by"
            server.cli -> server.installing "asks"
            graph.facade -> graph.coverage
            graph.coverage -> graph.finding "asks which elements are there"
            graph.facade -> graph.access "lets in by"
            graph.port -> graph.access "asks what is allowed by"
            graph.sqlite -> graph.access "keeps"
            graph.neo4j -> graph.access "keeps"
            graph.remembering -> graph.secrets "refuses"
            graph.sessions -> graph.secrets "refuses and redacts"
            graph.inbox -> graph.secrets "refuses"
            graph.remembering -> graph.links
            graph.remembering -> graph.port
            graph.recalling -> graph.port
            graph.facade -> graph.exports
            graph.exports -> graph.port
            graph.sqlite -> graph.port "keeps"
            graph.neo4j -> graph.port "keeps"
            graph.neo4j -> database "reads and writes" "Bolt"
            graph.sqlite -> graph.held "nominates by"
            graph.neo4j -> graph.held "nominates by"
            server.wiring -> graph.neo4j "chooses"
            server.rest -> server.jobs "runs"
            server.rest -> server.wiring "is set up by"
            server.cli -> server.wiring "is set up by"
            server.cli -> server.doctor "asks"
            server.cli -> server.rest "serves"
            server.cli -> server.jobs "names what is watched by"
            server.doctor -> server.wiring "looks at"
            server.jobs -> server.wiring "is set up by"
            server.wiring -> server.jobs "reads schedules by"
            drift.check -> drift.evidence "asks"
            drift.check -> drift.dependencies "asks"
            drift.evidence -> drift.git "reads"
            drift.dependencies -> drift.git "reads"
            drift.dependencies -> drift.manifests "reads packages by"
            drift.rendering -> drift.check "takes scores from"
            drift.inferring -> drift.git "reads"
            drift.manifests -> drift.git "reads"
            drift.mapping -> drift.git "reads"
            drift.significance -> drift.git "reads"
            graph.facade -> graph.port "answers in terms of"
            graph.remembering -> graph.recalling "finds terms by"
            graph.flagging -> graph.port "stamps through"
            graph.flagging -> graph.recalling "asks what is flagged"
            graph.coverage -> graph.port "counts by"
            graph.coverage -> graph.recalling "asks how fresh and flagged it is"
            graph.links -> graph.port "keeps keys by"
            graph.links -> graph.recalling "finds terms by"
            graph.links -> graph.remembering "compares texts by"
            graph.links -> graph.embedders "embeds by"
            graph.port -> graph.recalling "gives facts for"
            graph.held -> graph.port "is asked through"
            graph.held -> graph.recalling "scores by"
            graph.sqlite -> graph.recalling "gives facts for"
            graph.neo4j -> graph.recalling "gives facts for"
            server.jobs -> graph.facade "makes missing vectors by"
            server.jobs -> drift.check "checks by schedule"
        }

        agent -> archmem.server.cli "remembers and recalls by"
        agent -> archmem.server.rest "remembers and recalls by" "HTTP"
        agent -> archmem.server.agents "starts, recalls, remembers and finishes by" "MCP"
        developer -> archmem.server.cli "reviews by"
        archmem.drift.git -> repository "reads objects of"
    }

    views {
        systemContext archmem "Context" {
            include *
            autoLayout
        }
        container archmem "Containers" {
            include *
            autoLayout
        }
        component archmem.graph "Graph" {
            include *
            autoLayout
        }
    }
}
