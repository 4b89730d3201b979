"""The real Structurizr workspaces, in DSL and in JSON."""

from tests.graph.c4.real import REAL, manifest


def real_dsl() -> list[str]:
    """Return the DSL files below the folder with real ones; none where it is not there."""
    local = [name for name in manifest() if name.startswith("structurizr-dsl/") or "UKHomeOffice" in name]
    return sorted((*local, *(str(path.relative_to(REAL)) for path in (REAL / "structurizr-json").glob("*.dsl"))))


def real_json() -> list[str]:
    """Return the workspaces in JSON below the folder with real ones; none where it is not there."""
    return sorted(str(path.relative_to(REAL)) for path in (REAL / "structurizr-json").glob("*.json"))
