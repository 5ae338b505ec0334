//! Where requests may go: to private addresses only where the operator or the plan named the host.
//!
//! A document can name a public host that resolves to the metadata service of a cloud or to a
//! machine inside. The check is made on the addresses that are connected to, after resolution.

use super::settings::Settings;
use super::url::Base;
use reqwest::Url;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The hosts that may be private.
#[derive(Clone, Debug, Default)]
pub struct Reach {
    hosts: BTreeSet<String>,
    way_out: String,
}

impl Reach {
    /// What the settings allow.
    pub fn new(settings: &Settings) -> Self {
        let mut hosts = BTreeSet::new();
        if let Ok(Some(base)) = &settings.base
            && (settings.base_is_set || is_inside(&base.host()))
        {
            hosts.insert(base.host());
        }
        let listed = settings.credential_origins.iter().filter_map(|text| Base::parse(text).ok());
        hosts.extend(listed.map(|base| base.host()));
        Self { hosts, way_out: settings.base_variable.clone() }
    }

    /// Checks a URL whose host is an address or this machine; other names are checked when they
    /// are resolved.
    ///
    /// # Errors
    /// The address is private and nobody named it.
    pub fn check(&self, url: &Url) -> Result<(), String> {
        let host = host_of(url);
        // Not every resolver knows every spelling of this machine.
        let local = host == "localhost" || host.ends_with(".localhost");
        match host.parse::<IpAddr>() {
            Err(_) if local && !self.hosts.contains(&host) => {
                Err(self.refusal(&host, Ipv4Addr::LOCALHOST.into()))
            }
            Ok(address) if is_private(address) && !self.hosts.contains(&host) => {
                Err(self.refusal(&host, address))
            }
            _ => Ok(()),
        }
    }

    fn refusal(&self, host: &str, address: IpAddr) -> String {
        format!(
            "{host} is at the private address {address}; only {} or a listed origin may be private",
            self.way_out
        )
    }
}

impl Resolve for Reach {
    fn resolve(&self, name: Name) -> Resolving {
        let reach = self.clone();
        Box::pin(async move {
            let host = plain(name.as_str());
            let found: Vec<_> = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            let private = found.iter().find(|address| is_private(address.ip()));
            if let Some(address) = private.filter(|_| !reach.hosts.contains(&host)) {
                return Err(reach.refusal(&host, address.ip()).into());
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

/// The host of a URL: no brackets, no last dot.
pub fn host_of(url: &Url) -> String {
    plain(url.host_str().unwrap_or_default())
}

fn plain(host: &str) -> String {
    host.trim_start_matches('[').trim_end_matches([']', '.']).to_ascii_lowercase()
}

/// Whether a host is seen to be inside: whoever read the plan has agreed to it.
fn is_inside(host: &str) -> bool {
    let endings =
        ["localhost", "local", "internal", "intranet", "lan", "corp", "home", "test", "arpa"];
    let ending = host.rsplit('.').next().unwrap_or_default();
    host.parse::<IpAddr>()
        .map_or_else(|_| !host.contains('.') || endings.contains(&ending), is_private)
}

/// Addresses that are not on the public internet.
pub fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => is_private_v4(v4),
        IpAddr::V6(v6) => is_private_v6(v6),
    }
}

fn is_private_v4(v4: Ipv4Addr) -> bool {
    let [a, b, ..] = v4.octets();
    v4.is_loopback()
        || v4.is_private()
        || v4.is_link_local()
        || v4.is_broadcast()
        || v4.is_multicast()
        || a == 0
        || (a == 100 && (64..128).contains(&b))
        || (a == 192 && b == 0 && v4.octets()[2] == 0)
        || (a == 198 && (18..20).contains(&b))
        || a >= 240
}

fn is_private_v6(v6: Ipv6Addr) -> bool {
    let parts = v6.segments();
    let low = || Ipv4Addr::from((u32::from(parts[6]) << 16) | u32::from(parts[7]));
    // Mapped, compatible, and NAT64 forms of an IPv4 address.
    let wrapped = parts[..5] == [0; 5] && matches!(parts[5], 0 | 0xffff)
        || parts[..6] == [0x64, 0xff9b, 0, 0, 0, 0];
    let six_to_four = Ipv4Addr::from((u32::from(parts[1]) << 16) | u32::from(parts[2]));
    v6.is_loopback()
        || v6.is_unspecified()
        || v6.is_multicast()
        || parts[0] & 0xfe00 == 0xfc00
        || parts[0] & 0xffc0 == 0xfe80
        || parts[0] & 0xffc0 == 0xfec0
        || (wrapped && is_private_v4(low()))
        || (parts[0] == 0x2002 && is_private_v4(six_to_four))
}
