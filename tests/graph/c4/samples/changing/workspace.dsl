workspace "Changing" "First words" {
    name "Changed"
    description "Other words"
    properties {
        any "thing"
    }
    model {
        a = softwareSystem "A" "first" "T" {
            description "second"
            description "third"
            tags "U"
            url https://example.org/first
            url https://example.org/second
            properties {
                k "1"
                k "2"
            }
            properties {
                l "3"
            }
        }
        !element a {
            description "fourth"
            url ""
            tags "T" "V"
            c = container "C" {
                technology "T1"
                technology "T2"
            }
        }
        !const LATE "late"
        d = softwareSystem "D ${LATE}"
        !var LOOP "x"
        !var LOOP "${LOOP}${LOOP}"
        e = softwareSystem "E ${LOOP}"
    }
    configuration {
        scope softwaresystem
    }
}
