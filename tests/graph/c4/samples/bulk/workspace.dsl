workspace "Bulk" {
    model {
        properties {
            structurizr.groupSeparator "/"
        }
        archetypes {
            queued = -> {
                technology "AMQP"
                tags "Queued"
            }
        }
        user = person "User"
        staff = group "Staff" {
            clerk = person "Clerk" "" "Internal"
            night = group "Night" {
                guard = person "Guard"
            }
        }
        shop = softwareSystem "Shop" {
            backend = group "Backend" {
                api = container "API" "" "Go" "Core" {
                    cart = component "Cart" "" "Go"
                    mail = component "Mail" "" "Java" "Core,Slow"
                }
                db = container "DB" "" "Postgres"
            }
            site = container "Site" "" "TypeScript" {
                properties {
                    tier "edge"
                }
            }
            !elements "element.parent==shop" {
                tags "Of the shop"
            }
        }
        bank = softwareSystem "Bank" "" "External"
        audit = element "Audit" "Log"
        uses = user -> site "Uses" "" "Hot"
        asks = site -> api "Asks" "HTTP"
        cart -> bank "Pays"
        cart -> db "Keeps"
        clerk -> api "Administers"

        !elements "element.tag==Core" {
            tags "Chosen by a tag"
        }
        !elements "element.tag==Core,Slow" {
            tags "Chosen by two tags"
        }
        !elements "element.tag!=Container" {
            tags "No container"
        }
        !elements "element.type==Component" {
            properties {
                kind "component"
            }
        }
        !elements "element.type==Custom || element.type==person" {
            url https://example.org/people
        }
        !elements "element.technology==Go && element.type==Container" {
            technology "Go 1.22"
        }
        !elements "element.technology!=Go" {
            tags "Not in Go"
        }
        !elements "element.properties[tier]==edge" {
            description "At the edge"
        }
        !elements "element.group==Backend" {
            tags "By its group's name"
        }
        !elements staff {
            tags "By a group"
        }
        !elements night {
            tags "By an inner group"
        }
        !elements "element==api" {
            tags "By its identifier"
        }
        !elements "element!=api" {
            tags "All but one"
        }
        !elements "element==->bank" {
            tags "Uses the bank"
        }
        !elements "api->" {
            tags "Used by the API"
        }
        !elements "->api->" {
            tags "Around the API"
        }
        !elements "ELEMENT.TAG==Slow" {
            tags "Any case"
            perspectives {
                Security "low"
            }
        }
        !elements "element.type==Person" {
            technology "ignored"
            this -> audit "Is seen by" "" "Seen"
            bank -> this "Bills" {
                technology "ignored too"
                tags "Billing"
            }
            --queued-> db "Reads" "SQL" "Own"
            this --queued-> site "Mails" "SMTP" "Mail"
            this --queued-> api "Pings"
        }
        !relationships "*->*" {
            tags "Every one"
        }
        !relationships "relationship==*" {
            url https://example.org/all
        }
        !relationships "*->api" {
            tags "To the API"
        }
        !relationships "site->*" {
            tags "From the site"
        }
        !relationships "site->api" {
            tags "Between two"
        }
        !relationships "relationship.tag==Hot" {
            properties {
                heat "high"
            }
        }
        !relationships "relationship.tag!=Hot" {
            tags "Cold"
        }
        !relationships "relationship.source==staff" {
            tags "From the staff"
        }
        !relationships "relationship.destination==db" {
            tags "To the database"
        }
        !relationships "relationship.properties[heat]==high" {
            tags "By a property"
        }
        !relationships "relationship==uses" {
            tags "By its identifier"
        }
        !relationships "element.type==Component->*" {
            tags "From a component"
        }
        !relationships "relationship.source==element.tag==Component" {
            technology "ignored"
            tags "From one chosen by its tag"
        }
    }
}
