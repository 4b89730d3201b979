"""Where the elements without source are: proposals for the mapping in `archmem.toml`."""

from drift.mapping.names import Name, name_of
from drift.mapping.proposals import Place, Proposal
from drift.mapping.proposing import SURE, may_have_code, propose_sources

__all__ = ["SURE", "Name", "Place", "Proposal", "may_have_code", "name_of", "propose_sources"]
