"""Routes: access keys, for whoever administrates the organisation."""

from typing import Annotated

from fastapi import APIRouter, Path, status

from graph.access import AccessKeyView
from server.answers import AccessKeys
from server.rest.bodies import NewAccessKey
from server.rest.parts import Actor, Graph, ServerSettings
from server.rest.reading import Reading

router = APIRouter(tags=["access keys"], prefix="/access-keys", route_class=Reading)


@router.get("")
def list_access_keys(graph: Graph, settings: ServerSettings) -> AccessKeys:
    """List the access keys, revoked ones too; never their tokens."""
    return AccessKeys(keys=graph.access_keys(settings.organisation))


@router.post("", status_code=status.HTTP_201_CREATED)
def create_access_key(graph: Graph, settings: ServerSettings, actor: Actor, body: NewAccessKey) -> AccessKeyView:
    """Make an access key; its token is in this answer alone."""
    return graph.create_access_key(
        settings.organisation,
        body.name,
        right=body.right,
        projects=body.projects,
        expires_at=body.expires_at,
        actor=actor,
    )


@router.post("/{key}/revoke")
def revoke_access_key(
    graph: Graph, settings: ServerSettings, actor: Actor, key: Annotated[str, Path(max_length=200)]
) -> AccessKeyView:
    """End an access key, by its id or name."""
    return graph.revoke_access_key(settings.organisation, key, actor=actor)
