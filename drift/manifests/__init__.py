"""What a repository's manifests say: packages, images and composed services; read leniently, never run."""
