this is no DSL {
