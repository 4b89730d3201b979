workspace "Archetypes" {
    model {
        archetypes {
            person {
                tag "Somebody"
            }
            app = container {
                description "An application"
                technology "Go"
                tags "App, Deployed" "Paged"
                properties {
                    team "core"
                }
                perspectives {
                    Security "reviewed"
                }
            }
            web = APP {
                technology "TypeScript"
            }
            plain = container
            entry = component {
                tags Entry
            }
            topic = element {
                metadata "Kafka topic"
                description "Events"
                tag "Topic"
                properties {
                    retention "7d"
                }
            }
            product = softwareSystem {
                description "A product"
            }
            sync = -> {
                technology "HTTP"
                tags "Sync"
                properties {
                    timeout "1s"
                }
            }
            secure = --sync-> {
                technology "HTTPS"
            }
            -> {
                tag "Declared"
            }
            domain = group
        }
        clerk = person "Clerk"
        shop = product "Shop" {
            domain "Front" {
                site = WEB "Site"
                plainOne = plain "Plain"
            }
            api = app "API" "Its own description" "Rust" "Own" {
                checkout = Entry "Checkout" "Pays" {
                    tags "Critical"
                }
            }
            old = container "Old"
        }
        orders = topic "Orders"
        returns = topic "Returns" "Topic" "Own words" "Own"
        clerk --secure-> site "Sells with"
        site --SYNC-> api "Asks" "gRPC" "Fast"
        clerk -> api
        checkout -> orders "Publishes" {
            tags "Async"
        }
        shop -> returns
        api --sync-> old {
            url https://example.org
        }
    }
}
