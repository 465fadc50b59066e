//! The clients of the hive as they are kept: who they are, by which keys they prove it, and what each may do. Their file is
//! the owner's alone. The password itself is not in it, but what it becomes for this device, which is worth nothing
//! elsewhere; of the access key there is a digest. Only of a client that comes by the protocol before version 3 is the password
//! kept, which that protocol needs.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use loquat_hive::{DeriveError, Greeting, KeyError, OldPassword, Psk, PublicKey, StaticKey};
use rustix::fs::{FlockOperation, flock};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::access::Access;

/// A name has at most this many bytes. It is part of the ids of sessions.
const LONGEST_NAME: usize = 32;

/// A device has at most this many clients.
const MOST_CLIENTS: usize = 1000;

/// The file of clients has at most this many bytes.
const LARGEST_FILE: u64 = 4 << 20;

/// A client as the file has it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Client {
    /// The name that the owner has given it.
    pub name: String,
    /// It is the digest of its access key, as hexadecimal digits.
    access_key: String,
    /// The key that was derived from its password for this device, as hexadecimal digits.
    psk: SecretText,
    /// The password itself, where it may come by the protocol before version 3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    password: Option<SecretText>,
    /// Its own key, as hexadecimal digits; absent until it came by version 3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    /// Its owner gave it these rights.
    #[serde(flatten)]
    pub access: Access,
}

/// Text that `Debug` does not show.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
struct SecretText(String);

impl std::fmt::Debug for SecretText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SecretText(..)")
    }
}

/// The secrets that a new client has to know. They are told once and kept nowhere.
#[derive(Debug)]
pub struct Told {
    /// The access key, by which the client says who it is.
    pub access_key: String,
    /// The client proves that it knows this password.
    pub password: String,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Book {
    clients: Vec<Client>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Node {
    node_id: String,
    key: SecretText,
}

/// The hive that was joined.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Met {
    place: String,
    key: String,
}

/// Says why clients cannot be read or changed.
#[derive(Debug, thiserror::Error)]
pub enum ClientsError {
    /// A file cannot be read or written.
    #[error("failed to keep the clients of the hive in {path}: {source}")]
    File {
        /// The file is here.
        path: PathBuf,
        /// The operating system says this.
        source: io::Error,
    },
    /// A file holds something else.
    #[error("failed to read {path}: {why}; remove it, and add the clients of the hive again")]
    Damaged {
        /// The file is here.
        path: PathBuf,
        /// A sentence that says what is wrong with the file.
        why: String,
    },
    /// A name is none.
    #[error(
        "a client of the hive is called by 1 to {LONGEST_NAME} small letters, digits, - and _, as in kitchen"
    )]
    Name,
    /// There is one of this name.
    #[error("failed to add the client {0}: there is one of this name; remove it first")]
    Taken(String),
    /// There is none of this name.
    #[error("failed to find the client {0}; `loquat hive list` lists them")]
    Absent(String),
    /// There are too many.
    #[error("failed to add a client: there are {MOST_CLIENTS}, and that is the most")]
    TooMany,
    /// No key could be derived from the password.
    #[error(transparent)]
    Derive(#[from] DeriveError),
    /// The thread that read or wrote has ended.
    #[error("failed to keep the keys of the hive: {0}")]
    Interrupted(String),
    /// The system has no random numbers.
    #[error("failed to make a key: the system gives no random numbers")]
    NoRandom,
}

impl Client {
    /// Tells whether this is its access key. Both are digests of what is long and random, so that time tells nothing.
    pub(super) fn is_of(&self, access_key: &str) -> bool {
        self.access_key == digest(access_key)
    }

    pub(super) fn psk(&self) -> Result<Psk, KeyError> {
        Psk::from_hex(&self.psk.0)
    }

    /// Gives the password, where it may come by the protocol before version 3.
    pub fn old_password(&self) -> Option<OldPassword> {
        let password = self.password.as_ref()?;
        Some(OldPassword::new(password.0.clone()))
    }

    /// Gives its own key; absent until it came by version 3.
    pub fn key(&self) -> Option<PublicKey> {
        self.key.as_deref().and_then(|key| PublicKey::from_hex(key).ok())
    }

    /// Tells whether another record, which may be older than its first meeting, is of the same client with the same
    /// keys.
    pub(super) fn is_same(&self, older: &Self) -> bool {
        // The protocol before version 3 has no key that tells one device from another.
        let has_key = self.key.is_some() || self.password.is_some();
        let is_device = has_key && (older.key.is_none() || older.key == self.key);
        is_device
            && self.password == older.password
            && self.name == older.name
            && self.access_key == older.access_key
            && self.psk == older.psk
    }
}

fn digest(access_key: &str) -> String {
    hex::encode(Sha256::digest(access_key.as_bytes()))
}

/// Draws 128 random bits and writes them as text.
fn token() -> String {
    uuid::Uuid::new_v4().simple().to_string()
}

/// The folder in which they are kept.
#[derive(Debug, Clone)]
pub struct Clients {
    folder: PathBuf,
}

impl Clients {
    /// Stands for the file of this state folder. It reads and makes nothing yet.
    pub fn of(state: &Path) -> Self {
        Self {
            folder: state.join("hive"),
        }
    }

    /// Reads all clients. Blocks.
    pub fn list(&self) -> Result<Vec<Client>, ClientsError> {
        Ok(self.book()?.clients)
    }

    /// Adds one, and gives what it has to know. Blocks for a good part of a second.
    pub fn add(&self, name: &str, access: Access) -> Result<Told, ClientsError> {
        self.enter(name, access, false)
    }

    /// Adds one that may come by the protocol before version 3 too, for which its password is kept. Blocks likewise.
    pub fn add_old(&self, name: &str, access: Access) -> Result<Told, ClientsError> {
        self.enter(name, access, true)
    }

    fn enter(&self, name: &str, access: Access, is_old: bool) -> Result<Told, ClientsError> {
        let named = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte);
        if !(1..=LONGEST_NAME).contains(&name.len()) || !name.bytes().all(named) {
            return Err(ClientsError::Name);
        }
        let told = Told {
            access_key: token(),
            password: token(),
        };
        let node_id = self.greeting()?.node_id;
        let psk = Psk::derive(&told.password, &node_id)?.to_hex();
        self.change(|book| {
            if book.clients.iter().any(|client| client.name == name) {
                return Err(ClientsError::Taken(name.to_owned()));
            }
            if book.clients.len() >= MOST_CLIENTS {
                return Err(ClientsError::TooMany);
            }
            book.clients.push(Client {
                name: name.to_owned(),
                access_key: digest(&told.access_key),
                psk: SecretText(psk),
                password: is_old.then(|| SecretText(told.password.clone())),
                key: None,
                access,
            });
            Ok(())
        })?;
        Ok(told)
    }

    /// Removes one.
    pub fn remove(&self, name: &str) -> Result<(), ClientsError> {
        self.change(|book| {
            let before = book.clients.len();
            book.clients.retain(|client| client.name != name);
            if book.clients.len() == before {
                return Err(ClientsError::Absent(name.to_owned()));
            }
            Ok(())
        })
    }

    /// Changes what one may do.
    pub fn amend(&self, name: &str, change: impl FnOnce(&mut Access)) -> Result<(), ClientsError> {
        self.with(name, |client| change(&mut client.access))
    }

    /// Forgets the key of one, so that another device may take its place.
    pub fn forget_key(&self, name: &str) -> Result<(), ClientsError> {
        self.with(name, |client| client.key = None)
    }

    /// Keeps the key of one that was here for the first time. False where it has another by now.
    pub(super) fn keep_key(&self, name: &str, key: PublicKey) -> Result<bool, ClientsError> {
        let mut is_kept = false;
        self.with(name, |client| {
            is_kept = client.key().is_none_or(|known| known == key);
            if is_kept {
                client.key = Some(key.to_hex());
            }
        })?;
        Ok(is_kept)
    }

    /// Tells who this device is to its clients. It is made when it is first asked for.
    pub fn greeting(&self) -> Result<Greeting, ClientsError> {
        let _lock = self.lock()?;
        let path = self.folder.join("node.json");
        if let Some(text) = Self::read(&path)? {
            let node: Node =
                serde_json::from_str(&text).map_err(|error| damaged(&path, error.to_string()))?;
            let key = StaticKey::from_hex(&node.key.0).map_err(|error| damaged(&path, error.to_string()))?;
            return Ok(Greeting {
                node_id: node.node_id,
                key,
                takes_old: false,
            });
        }
        let key = StaticKey::generate().ok_or(ClientsError::NoRandom)?;
        let node_id = format!("loquat-{}", token());
        let node = Node {
            node_id: node_id.clone(),
            key: SecretText(key.to_hex()),
        };
        self.write(&path, &node)?;
        Ok(Greeting {
            node_id,
            key,
            takes_old: false,
        })
    }

    /// Gives the key of the hive that this device joins, where it was met at this place before.
    pub(super) fn hub_key(&self, place: &str) -> Result<Option<PublicKey>, ClientsError> {
        let path = self.folder.join("hub.json");
        let Some(text) = Self::read(&path)? else {
            return Ok(None);
        };
        let met: Met = serde_json::from_str(&text).map_err(|error| damaged(&path, error.to_string()))?;
        let key = PublicKey::from_hex(&met.key).map_err(|error| damaged(&path, error.to_string()))?;
        Ok(Some(key).filter(|_| met.place == place))
    }

    pub(super) fn keep_hub_key(&self, place: &str, key: PublicKey) -> Result<(), ClientsError> {
        let _lock = self.lock()?;
        let met = Met {
            place: place.to_owned(),
            key: key.to_hex(),
        };
        self.write(&self.folder.join("hub.json"), &met)
    }

    /// Forgets it.
    pub fn forget_hub(&self) -> Result<(), ClientsError> {
        let path = self.folder.join("hub.json");
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(&path, error)),
            _ => Ok(()),
        }
    }

    /// Gives the inode, the time and the length of the file, by which a changed file is known.
    pub(super) fn mark(&self) -> Option<(u64, i64, i64, u64)> {
        let file = std::fs::metadata(self.file()).ok()?;
        Some((file.ino(), file.mtime(), file.mtime_nsec(), file.len()))
    }

    fn with(&self, name: &str, change: impl FnOnce(&mut Client)) -> Result<(), ClientsError> {
        self.change(|book| {
            let client = book.clients.iter_mut().find(|client| client.name == name);
            change(client.ok_or_else(|| ClientsError::Absent(name.to_owned()))?);
            Ok(())
        })
    }

    /// Changes the file under a lock, so that one process changes it at a time.
    fn change(&self, change: impl FnOnce(&mut Book) -> Result<(), ClientsError>) -> Result<(), ClientsError> {
        let _lock = self.lock()?;
        let mut book = self.book()?;
        change(&mut book)?;
        self.write(&self.file(), &book)
    }

    fn file(&self) -> PathBuf {
        self.folder.join("clients.json")
    }

    fn book(&self) -> Result<Book, ClientsError> {
        let path = self.file();
        let Some(text) = Self::read(&path)? else {
            return Ok(Book::default());
        };
        let book: Book = serde_json::from_str(&text).map_err(|error| damaged(&path, error.to_string()))?;
        // As none at all it would let any device take the place.
        let has_lost_its_key = |client: &&Client| client.key.is_some() && client.key().is_none();
        match book.clients.iter().find(has_lost_its_key) {
            Some(client) => Err(damaged(&path, format!("the key of {} is none", client.name))),
            None => Ok(book),
        }
    }

    fn lock(&self) -> Result<File, ClientsError> {
        let made = DirBuilder::new().recursive(true).mode(0o700).create(&self.folder);
        made.map_err(|source| failed(&self.folder, source))?;
        let path = self.folder.join("lock");
        let lock = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .mode(0o600)
            .open(&path);
        let lock = lock.map_err(|source| failed(&path, source))?;
        flock(&lock, FlockOperation::LockExclusive).map_err(|error| failed(&path, error.into()))?;
        Ok(lock)
    }

    fn read(path: &Path) -> Result<Option<String>, ClientsError> {
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(failed(path, source)),
        };
        let text = io::read_to_string(io::Read::take(file, LARGEST_FILE));
        text.map(Some).map_err(|source| failed(path, source))
    }

    fn write(&self, path: &Path, what: &impl Serialize) -> Result<(), ClientsError> {
        let text = serde_json::to_string_pretty(what).map_err(|error| failed(path, error.into()))?;
        let written = || {
            let mut file = tempfile::NamedTempFile::new_in(&self.folder)?;
            file.write_all(text.as_bytes())?;
            file.as_file().sync_all()?;
            file.persist(path)?;
            Ok(())
        };
        written().map_err(|source| failed(path, source))
    }
}

fn damaged(path: &Path, why: String) -> ClientsError {
    ClientsError::Damaged {
        path: path.to_owned(),
        why,
    }
}

fn failed(path: &Path, source: io::Error) -> ClientsError {
    ClientsError::File {
        path: path.to_owned(),
        source,
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn neither_key_nor_password_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let clients = Clients::of(folder.path());
        let told = clients.add("kitchen", Access::default()).unwrap();
        let file = folder.path().join("hive/clients.json");
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(!text.contains(&told.access_key) && !text.contains(&told.password));
        for name in ["clients.json", "node.json", "lock"] {
            let mode = std::fs::metadata(folder.path().join("hive").join(name))
                .unwrap()
                .permissions()
                .mode();
            assert_eq!(mode & 0o777, 0o600, "{name}");
        }
        let [kitchen] = &clients.list().unwrap()[..] else {
            panic!()
        };
        assert!(kitchen.is_of(&told.access_key) && !kitchen.is_of(&told.password));
        assert!(!format!("{kitchen:?}").contains(&kitchen.psk.0));
        let node_id = clients.greeting().unwrap().node_id;
        assert_eq!(
            kitchen.psk().unwrap(),
            Psk::derive(&told.password, &node_id).unwrap()
        );
    }

    #[test]
    fn the_password_is_kept_for_the_old_protocol_alone() {
        let folder = tempfile::tempdir().unwrap();
        let clients = Clients::of(folder.path());
        let told = clients.add_old("kitchen", Access::default()).unwrap();
        clients.add("bath", Access::default()).unwrap();
        let list = clients.list().unwrap();
        let passwords: Vec<_> = list.iter().map(Client::old_password).collect();
        assert_eq!(passwords, [Some(OldPassword::new(told.password.clone())), None]);
        assert!(!format!("{list:?}").contains(&told.password));
        assert!(
            list[0].is_same(&list[0]) && !list[1].is_same(&list[1]),
            "it was never here"
        );
    }

    #[test]
    fn the_first_key_of_a_client_is_its_key_until_it_is_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let clients = Clients::of(folder.path());
        clients.add("kitchen", Access::default()).unwrap();
        let key = |digit: &str| PublicKey::from_hex(&digit.repeat(64)).unwrap();
        assert!(clients.keep_key("kitchen", key("1")).unwrap());
        assert!(clients.keep_key("kitchen", key("1")).unwrap());
        assert!(!clients.keep_key("kitchen", key("2")).unwrap());
        clients.forget_key("kitchen").unwrap();
        assert!(clients.keep_key("kitchen", key("2")).unwrap());
        clients.remove("kitchen").unwrap();
        assert!(matches!(
            clients.keep_key("kitchen", key("2")),
            Err(ClientsError::Absent(_))
        ));
    }

    #[test]
    fn names_are_short_and_plain_and_taken_once() {
        let folder = tempfile::tempdir().unwrap();
        let clients = Clients::of(folder.path());
        for wrong in ["", "Kitchen", "a:b", "a b", "../x", &"x".repeat(33)] {
            assert!(
                matches!(clients.add(wrong, Access::default()), Err(ClientsError::Name)),
                "{wrong}"
            );
        }
        clients.add("a-1_b", Access::default()).unwrap();
        assert!(matches!(
            clients.add("a-1_b", Access::default()),
            Err(ClientsError::Taken(_))
        ));
        assert!(matches!(clients.remove("b"), Err(ClientsError::Absent(_))));
    }
}
