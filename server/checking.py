"""The drift check of a checkout without any store, as CI and hooks run it; nothing that opens one is imported."""

from datetime import UTC, datetime
from typing import Any

from drift import Repository, check_drift, read_project
from graph.drift_report import DriftReport
from graph.elements import ArchitectureModel
from server.kept_findings import kept_findings
from server.settings import drift_policy
from server.workplace import Workplace


def check(workplace: Workplace, *, base: str = "", target: str = "HEAD") -> tuple[DriftReport, float | None]:
    """Check the model at the target without any store; return the report and the least score that the project asks."""
    repository = workplace.required()
    oid, _ = repository.resolve_target(target)
    file, model = read_project(repository, oid)
    policy = drift_policy(file)
    report = checked(model, repository, baselines={}, at=datetime.now(UTC), base=base, target=target, policy=policy)
    return report, policy.min_score


def checked(model: ArchitectureModel, repository: Repository, **options: Any) -> DriftReport:
    """Return the report of a check that starts from what earlier ones found, and keeps what it finds."""
    with kept_findings(repository.root) as found:
        return check_drift(model, repository, found=found, **options)
