"""Routes: projects, their model, their knowledge map."""

from fastapi import APIRouter

from graph.elements import ArchitectureModel
from graph.scopes import Project
from graph.views import Coverage, ElementsRenamed, ModelChange, ModelDifference
from server.answers import Elements, Projects, elements_of
from server.repositories import set_repository
from server.rest.bodies import ElementRenaming, NewProject, WatchedRepository
from server.rest.parts import Actor, Graph, InScope, ServerSettings
from server.rest.reading import Reading

router = APIRouter(tags=["projects"], route_class=Reading)


@router.get("/projects")
def list_projects(graph: Graph, settings: ServerSettings) -> Projects:
    """List the projects."""
    return Projects(projects=graph.projects(settings.organisation))


@router.post("/projects")
def add_project(graph: Graph, settings: ServerSettings, body: NewProject) -> Project:
    """Register a project, or return the one that the identity or an alias leads to."""
    return graph.add_project(settings.organisation, body.identity, body.name, body.aliases)


@router.get("/project")
def get_project(graph: Graph, settings: ServerSettings, scope: InScope) -> Project:
    """Return one project."""
    return graph.project(settings.organisation, scope.project)


@router.put("/project/repository")
def watch_repository(graph: Graph, settings: ServerSettings, scope: InScope, body: WatchedRepository) -> Project:
    """Say which repository a server checks for this project by itself; an empty one ends that."""
    return set_repository(graph, settings, scope, body.repository, body.branch, trusted=False)


@router.get("/model")
def get_model(graph: Graph, scope: InScope) -> ArchitectureModel:
    """Return the stored model without what was retired."""
    return graph.model(scope)


@router.put("/model")
def import_model(graph: Graph, scope: InScope, body: ArchitectureModel) -> ModelChange:
    """Take a model over: identities stay, removed elements are retired and keep their memories."""
    return graph.import_model(scope, body)


@router.post("/model/difference")
def compare_model(graph: Graph, scope: InScope, body: ArchitectureModel) -> ModelDifference:
    """Say what taking this model over would change; nothing is written."""
    return graph.compare_model(scope, body)


@router.post("/model/rename")
def rename_element(graph: Graph, scope: InScope, actor: Actor, body: ElementRenaming) -> ElementsRenamed:
    """Say that an element is called otherwise now; its parts and memories come along."""
    return graph.rename_element(scope, body.old, body.new, actor=actor)


@router.get("/elements")
def list_elements(graph: Graph, scope: InScope) -> Elements:
    """List the stored elements, retired ones too, with their memories and verdicts."""
    return elements_of(graph, scope)


@router.get("/coverage")
def get_coverage(graph: Graph, scope: InScope) -> Coverage:
    """Return the knowledge map in numbers, with the gaps worth filling."""
    return graph.coverage(scope)
