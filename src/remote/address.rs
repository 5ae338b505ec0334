//! Which URLs and addresses a document may make us call: public ones, by `https`.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::source::Url;

/// Ends of names that mean this machine, its network, or nothing at all.
const NAMES: &[&str] = &[
    "localhost",
    "localdomain",
    "local",
    "internal",
    "intranet",
    "lan",
    "corp",
    "home",
    "home.arpa",
    "onion",
    "test",
    "invalid",
    "example",
    // Where machines in a cloud learn who they are.
    "metadata.goog",
    "instance-data.ec2.amazonaws.com",
];

/// Why `url` is never called, whatever its name may resolve to.
pub(super) fn refuse(url: &Url) -> Result<(), String> {
    if url.scheme != "https" {
        return Err("only `https` is fetched".to_owned());
    }
    if url.has_user() {
        return Err("a URL with a user or a password is not fetched".to_owned());
    }
    let whole = url.to_string();
    if !whole.bytes().all(|b| b.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&b)) {
        return Err("the URL holds characters that no URL has".to_owned());
    }
    let Some(host) = url.host().filter(|host| !host.is_empty()) else {
        return Err("the URL names no host".to_owned());
    };
    let host = host.strip_suffix('.').unwrap_or(host);
    let inside = || Err(format!("`{host}` is no public host"));
    if let Ok(address) = host.parse::<IpAddr>() {
        return if is_public(address) { Ok(()) } else { inside() };
    }
    // A URL with brackets holds an address, so what is none is a mistake or a trick.
    let name = host.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_'));
    if !name || url.authority.as_deref().is_some_and(|a| a.contains('[')) {
        return Err(format!("`{host}` is no name of a host"));
    }
    let last = host.rsplit('.').next().unwrap_or_default();
    let number = last.bytes().all(|b| b.is_ascii_digit()) || last.starts_with("0x");
    let known = |end: &str| host == end || host.ends_with(&format!(".{end}"));
    if number || !host.contains('.') || NAMES.iter().any(|end| known(end)) {
        return inside();
    }
    Ok(())
}

/// Whether anybody may call the address, as opposed to this machine, its network or its cloud.
pub(super) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let inside = match a {
        0 | 10 | 127 | 224.. => true,
        100 => (64..128).contains(&b),
        169 => b == 254,
        172 => (16..32).contains(&b),
        192 => b == 168 || (b == 0 && (c == 0 || c == 2)) || (b == 88 && c == 99),
        198 => matches!(b, 18 | 19) || (b == 51 && c == 100),
        203 => b == 0 && c == 113,
        // Where Azure tells its machines who they are.
        168 => address == Ipv4Addr::new(168, 63, 129, 16),
        _ => false,
    };
    !inside
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let parts = address.segments();
    let embedded = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        is_public_v4(Ipv4Addr::new(a, b, c, d))
    };
    match parts {
        // Mapped, and translated by NAT64: these are the IPv4 address that they hold.
        [0, 0, 0, 0, 0, 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
            embedded(high, low)
        }
        // 6to4
        [0x2002, high, low, ..] => embedded(high, low),
        // Teredo, ORCHID, benchmarks and other things of protocols; documentation.
        [0x2001, part, ..] => part >= 0x200 && part != 0xdb8,
        [0x3fff, part, ..] => part >= 0x1000,
        // Only these are given out; what is local, multicast or IPv4-compatible is elsewhere.
        [first, ..] => first & 0xe000 == 0x2000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_this_machine_and_of_networks_are_not_public() {
        for address in [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "100.64.0.1",
            "100.100.100.200",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.254",
            "168.63.129.16",
            "169.254.0.1",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.1",
            "192.0.0.192",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.7",
            "203.0.113.7",
            "224.0.0.1",
            "239.255.255.250",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::7f00:1",
            "::808:808",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::ffff:169.254.169.254",
            "::ffff:0:127.0.0.1",
            "64:ff9b::127.0.0.1",
            "64:ff9b::a9fe:a9fe",
            "64:ff9b:1::808:808",
            "100::1",
            "2001::1",
            "2001:10::1",
            "2001:20::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "2002:a00:1::1",
            "2002:a9fe:a9fe::",
            "3fff::1",
            "3fff:fff::1",
            "5f00::1",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!is_public(address.parse().expect("an address")), "{address}");
        }
    }

    #[test]
    fn other_addresses_are_public() {
        for address in [
            "1.1.1.1",
            "9.255.255.255",
            "11.0.0.1",
            "100.63.255.255",
            "100.128.0.1",
            "126.0.0.1",
            "128.0.0.1",
            "168.63.129.17",
            "169.253.0.1",
            "172.15.0.1",
            "172.32.0.1",
            "192.0.1.1",
            "192.167.0.1",
            "192.169.0.1",
            "198.17.0.1",
            "198.20.0.1",
            "203.0.112.1",
            "223.255.255.255",
            "::ffff:8.8.8.8",
            "64:ff9b::808:808",
            "2001:200::1",
            "2001:4860:4860::8888",
            "2002:808:808::1",
            "2606:4700::1111",
            "3fff:1000::1",
        ] {
            assert!(is_public(address.parse().expect("an address")), "{address}");
        }
    }

    #[test]
    fn urls_are_refused_for_what_they_say() {
        for url in [
            "http://example.com/a",
            "file:///etc/passwd",
            "ftp://example.com/a",
            "//example.com/a",
            "https:a",
            "https:///a",
            "https://user@example.com/a",
            "https://user:secret@example.com/a",
            "https://example.com/a b",
            "https://example.com/\u{fc}",
            "https://ex\u{e4}mple.com/",
            "https://example.com\\@127.0.0.1/",
            "https://localhost/a",
            "https://LOCALHOST./a",
            "https://a.localhost/a",
            "https://127.0.0.1/a",
            "https://127.0.0.1:8443/a",
            "https://[::1]/a",
            "https://[::ffff:127.0.0.1]/a",
            "https://[fe80::1%25eth0]/a",
            "https://[example.com]/a",
            "https://169.254.169.254/latest/meta-data",
            "https://metadata.google.internal/a",
            "https://metadata.goog/a",
            "https://metadata/a",
            "https://intranet/a",
            "https://printer.local/a",
            "https://router.home.arpa/a",
            "https://2130706433/a",
            "https://127.1/a",
            "https://0x7f.1/a",
            "https://0x7f000001/a",
            "https://0177.0.0.1/a",
            "https://1.2.3.4.5/a",
            "https://127.0.0.1.:443/a",
        ] {
            let parsed = Url::parse(url).expect("a URL");
            assert!(refuse(&parsed).is_err(), "{url}");
        }
        for url in [
            "https://example.com/a.yaml",
            "https://example.com:8443/a.yaml?x=%20",
            "https://raw.example.org./a",
            "https://8.8.8.8/a",
            "https://[2606:4700::1111]/a",
            "https://mylocalhost.org/a",
        ] {
            let parsed = Url::parse(url).expect("a URL");
            assert_eq!(refuse(&parsed), Ok(()), "{url}");
        }
    }
}
