!const OWNER "Team ${UNKNOWN}"
