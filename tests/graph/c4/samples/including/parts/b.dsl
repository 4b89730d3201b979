one = person "One" "${OWNER}"
