no DSL {
