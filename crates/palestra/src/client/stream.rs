//! The connection with a server, with TLS or without.

use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::time::Duration;

use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use super::address::ServerAddress;

/// Time for the server to answer, and between the parts of an answer.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
const READ_TIMEOUT: Duration = Duration::from_secs(120);

/// Both directions of a connection.
pub(super) trait Stream: Read + Write {}

impl<T: Read + Write> Stream for T {}

/// Connects.
pub(super) fn open(address: &ServerAddress) -> io::Result<Box<dyn Stream>> {
    let stream = connect(address)?;
    if !address.is_secure {
        return Ok(Box::new(stream));
    }
    let name = ServerName::try_from(address.host.clone()).map_err(io::Error::other)?;
    let connection = ClientConnection::new(Arc::new(tls()?), name).map_err(io::Error::other)?;
    Ok(Box::new(StreamOwned::new(connection, stream)))
}

fn connect(address: &ServerAddress) -> io::Result<TcpStream> {
    let mut last = io::Error::from(io::ErrorKind::NotFound);
    for place in (address.host.as_str(), address.port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&place, CONNECT_TIMEOUT) {
            Ok(stream) => {
                stream.set_read_timeout(Some(READ_TIMEOUT))?;
                stream.set_write_timeout(Some(READ_TIMEOUT))?;
                return Ok(stream);
            }
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// Trusts the authorities that this machine trusts, a school's own among them, and those that browsers do.
fn tls() -> io::Result<ClientConfig> {
    let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    Ok(config.map_err(io::Error::other)?.with_root_certificates(roots).with_no_client_auth())
}
