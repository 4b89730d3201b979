# A comment {
// another "one
!const NAME "Shop"
workspace "${NAME}" "All that is lexical" {
    !const GREETING "Hello, ${NAME}"
    !var TIER "one"
    !var TIER "${TIER} and two"
    /* one line */
    /*
     * softwareSystem "Not there" {
     /* nested
     */
     still a comment }
     */
    ####### ruler
    model {
	tabbed = person	"Tab"	"by tabs"
        glued = softwareSystem "Glued"{
            description "the brace touches the quote"
        }
        quotes = softwareSystem "Says \"hi\"" "back\\slash \\\" and \n a line end"
        SOFTWARESYSTEM "Shouting" "${GREETING}, ${TIER}, ${UNKNOWN}, ${NAME}"
        long = softwareSystem "Long" \
            "joined" \
            "Tag A, Tag B" {
            description "first \
                keeps its indent, \
            the last one does not"
            api = container "API" \
"Go \
and more" "Go"
        }
        block = softwareSystem "Block" {
            description """
                First line "quoted" of ${NAME}

                  indented
                last
                """
            properties {
                text """
                    a
                    b
                    """
                plain word
                "with spaces" "and values"
                dotted.name "*"
                brace {
                "=" "="
            }
        }
        noneOf = softwareSystem Unquoted Description
        half = softwareSystem Half"quoted
        empty = softwareSystem "Empty" "" ""
        unicode = softwareSystem "Ünïcode 😀" "Käse → 乳酪"
        tags = softwareSystem "Tags" "" "a,b , c" {
            tags "d,e" f "g, h"
            tag i
            tags "Element" "Software System"
            url "https://example.org/${NAME}"
        }
        ${NAME}User = person "By a substituted identifier"
    }
    views {
        systemContext quotes {
            include *
        }
        styles {
            element "Element" {
                shape box
            }
        }
    }
}
