//! The Unix socket that is served on. Never takes one that another process serves, nor a file that is no socket.

use std::io;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use tokio::net::UnixListener;

/// A bound socket. Its file is removed when this is dropped.
#[derive(Debug)]
pub(crate) struct Socket {
    listener: UnixListener,
    path: PathBuf,
}

/// The socket could not be made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BindError {
    /// Another program answers there.
    #[error("failed to listen on {}: another process serves there; stop it or give another --socket", .0.display())]
    Served(PathBuf),
    /// Something else is there.
    #[error("failed to listen on {}: there is a file that is no socket; remove it or give another --socket", .0.display())]
    NoSocket(PathBuf),
    /// The system refused.
    #[error("failed to listen on {}: {source}; its folder has to exist and be writable, and the path be at most 107 bytes", path.display())]
    System {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
}

impl Socket {
    /// Binds the socket for the owner only, in place of one that a dead process left behind.
    ///
    /// # Errors
    /// When it cannot be bound. Needs a tokio runtime.
    pub(crate) fn bind(path: &Path) -> Result<Self, BindError> {
        remove_left_over(path)?;
        let refuse = |source| BindError::System {
            path: path.to_owned(),
            source,
        };
        let socket = Self {
            listener: UnixListener::bind(path).map_err(refuse)?,
            path: path.to_owned(),
        };
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)).map_err(refuse)?;
        Ok(socket)
    }

    pub(crate) fn listener(&self) -> &UnixListener {
        &self.listener
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_file(&self.path) {
            tracing::debug!(%error, "the socket's file was gone already");
        }
    }
}

fn remove_left_over(path: &Path) -> Result<(), BindError> {
    let Ok(found) = std::fs::symlink_metadata(path) else {
        return Ok(());
    };
    if !found.file_type().is_socket() {
        return Err(BindError::NoSocket(path.to_owned()));
    }
    if UnixStream::connect(path).is_ok() {
        return Err(BindError::Served(path.to_owned()));
    }
    std::fs::remove_file(path).map_err(|source| BindError::System {
        path: path.to_owned(),
        source,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_socket_is_for_the_owner_and_goes_with_its_owner() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s");
        let socket = Socket::bind(&path).unwrap();
        assert_eq!(
            std::fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o600
        );
        assert!(matches!(Socket::bind(&path), Err(BindError::Served(_))));
        drop(socket);
        assert!(!path.exists());
    }

    #[tokio::test]
    async fn a_left_over_socket_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s");
        drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
        assert!(path.exists());
        Socket::bind(&path).unwrap();
    }

    #[tokio::test]
    async fn a_file_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s");
        std::fs::write(&path, "mine").unwrap();
        assert!(matches!(Socket::bind(&path), Err(BindError::NoSocket(_))));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
        let error = Socket::bind(&folder.path().join("none/s")).unwrap_err();
        assert!(error.to_string().contains("its folder has to exist"), "{error}");
    }
}
