//! The runtime that every crate carries, byte for byte.

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../templates/runtime/", $name)))),*]
    };
}

/// Name and text of each file below `src/runtime/`.
pub static FILES: &[(&str, &str)] = files![
    "arguments.rs",
    "auth.rs",
    "binary.rs",
    "body.rs",
    "care.rs",
    "catalog.rs",
    "check.rs",
    "client.rs",
    "coerce.rs",
    "custom.rs",
    "date.rs",
    "encode.rs",
    "exact.rs",
    "feedback.rs",
    "file.rs",
    "flight.rs",
    "follow.rs",
    "hooks.rs",
    "joined.rs",
    "listen.rs",
    "log.rs",
    "mod.rs",
    "oauth.rs",
    "output.rs",
    "own.rs",
    "pace.rs",
    "problem.rs",
    "protocol.rs",
    "reach.rs",
    "reply.rs",
    "report.rs",
    "request.rs",
    "schema.rs",
    "search.rs",
    "secret.rs",
    "send.rs",
    "server.rs",
    "settings.rs",
    "start.rs",
    "style.rs",
    "table.rs",
    "text.rs",
    "toolsets.rs",
    "trim.rs",
    "url.rs",
    "usage.rs",
    "view.rs",
    "words.rs",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_the_folder() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("templates/runtime");
        let mut there: Vec<_> = std::fs::read_dir(folder)
            .unwrap()
            .flatten()
            .map(|e| e.file_name().to_string_lossy().into_owned())
            .collect();
        there.sort();
        assert_eq!(FILES.iter().map(|(name, _)| *name).collect::<Vec<_>>(), there);
    }
}
