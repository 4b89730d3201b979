"""Routes: projects, their model, their knowledge map."""

from fastapi import APIRouter

from graph.elements import ArchitectureModel
from graph.scopes import Project
from graph.views import Coverage, ModelChange
from server.answers import Elements, Projects, elements_of
from server.rest.bodies import NewProject
from server.rest.parts import Graph, InScope, ServerSettings
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


@router.get("/model")
def get_model(graph: Graph, scope: InScope) -> ArchitectureModel:
    """Return the stored model without what was retired."""
    return graph.model(scope)


@router.put("/model")
def import_model(graph: Graph, scope: InScope, body: ArchitectureModel) -> ModelChange:
    """Take a model over: identities stay, removed elements are retired and keep their memories."""
    return graph.import_model(scope, body)


@router.get("/elements")
def list_elements(graph: Graph, scope: InScope) -> Elements:
    """List the stored elements, retired ones too, with their memories and verdicts."""
    return elements_of(graph, scope)


@router.get("/coverage")
def get_coverage(graph: Graph, scope: InScope) -> Coverage:
    """Return the knowledge map in numbers, with the gaps worth filling."""
    return graph.coverage(scope)
