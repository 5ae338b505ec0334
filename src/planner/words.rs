//! Words: splitting, writing in ASCII, English singulars and plurals.

/// Nouns whose plural no rule gives.
const IRREGULAR: &[(&str, &str)] = &[
    ("person", "people"),
    ("child", "children"),
    ("man", "men"),
    ("woman", "women"),
    ("foot", "feet"),
    ("tooth", "teeth"),
    ("mouse", "mice"),
    ("goose", "geese"),
    ("index", "indices"),
    ("vertex", "vertices"),
    ("matrix", "matrices"),
    ("appendix", "appendices"),
    ("criterion", "criteria"),
    ("phenomenon", "phenomena"),
    ("analysis", "analyses"),
    ("diagnosis", "diagnoses"),
    ("basis", "bases"),
    ("crisis", "crises"),
    ("thesis", "theses"),
    ("hypothesis", "hypotheses"),
    ("synopsis", "synopses"),
    ("quiz", "quizzes"),
    ("movie", "movies"),
    ("cookie", "cookies"),
    ("calorie", "calories"),
    ("selfie", "selfies"),
    ("tie", "ties"),
    ("pie", "pies"),
    ("cache", "caches"),
    ("niche", "niches"),
    ("shelf", "shelves"),
    ("leaf", "leaves"),
    ("wolf", "wolves"),
    ("half", "halves"),
    ("knife", "knives"),
    ("life", "lives"),
    ("wife", "wives"),
    ("hero", "heroes"),
    ("potato", "potatoes"),
    ("tomato", "tomatoes"),
    ("echo", "echoes"),
    ("use", "uses"),
    ("cause", "causes"),
    ("clause", "clauses"),
    ("pause", "pauses"),
    ("house", "houses"),
    ("warehouse", "warehouses"),
    ("spouse", "spouses"),
    ("excuse", "excuses"),
    ("gas", "gases"),
    ("bus", "buses"),
    ("lens", "lenses"),
    ("canvas", "canvases"),
    ("atlas", "atlases"),
    ("alias", "aliases"),
    ("bias", "biases"),
];

/// Words that are the same for one and many, or name a thing that is not counted.
const UNCOUNTED: &[&str] = &[
    "series",
    "species",
    "news",
    "data",
    "metadata",
    "media",
    "information",
    "info",
    "analytics",
    "statistics",
    "stats",
    "metrics",
    "settings",
    "preferences",
    "dns",
    "tls",
    "ssl",
    "https",
    "css",
    "js",
    "os",
    "ios",
    "macos",
    "kubernetes",
    "sms",
    "gps",
    "cms",
    "aws",
    "saas",
    "kudos",
    "credits",
    "inventory",
    "content",
    "feedback",
    "progress",
    "access",
    "health",
    "history",
    "hours",
    "equipment",
    "software",
    "hardware",
    "traffic",
    "weather",
    "whois",
    "me",
    "self",
    "pokemon",
    "sheep",
    "fish",
    "aircraft",
    "search",
    "exists",
    "logistics",
    "graphics",
    "physics",
    "capabilities",
    "auth",
    "oauth",
    "billing",
    "logs",
    "sports",
    "terms",
    "rss",
    "cors",
    "chaos",
    "always",
    "basics",
    "diagnostics",
];

/// One of a noun: `categories` → `category`. Words that are singular already stay.
pub(super) fn singular(word: &str) -> String {
    if UNCOUNTED.contains(&word) {
        return word.to_owned();
    }
    if let Some((one, _)) = IRREGULAR.iter().find(|(_, many)| *many == word) {
        return (*one).to_owned();
    }
    let stem = |cut: usize, add: &str| format!("{}{add}", &word[..word.len() - cut]);
    let length = word.len();
    if !word.is_ascii() || length <= 3 || !word.ends_with('s') {
        return word.to_owned();
    }
    if IRREGULAR.iter().any(|(one, _)| *one == word) {
        return word.to_owned();
    }
    if word.ends_with("ies") && length > 4 {
        return stem(3, "y");
    }
    if ["sses", "shes", "ches", "xes", "zzes"].iter().any(|end| word.ends_with(end)) {
        return stem(2, "");
    }
    // `statuses`, `viruses`; what ends in a sounded `use` is among the irregular ones.
    if word.ends_with("uses") && length > 5 {
        return stem(2, "");
    }
    if ["ss", "us", "is"].iter().any(|end| word.ends_with(end)) {
        return word.to_owned();
    }
    stem(1, "")
}

/// Many of a noun: `category` → `categories`. Words that are plural already stay.
pub(super) fn plural(word: &str) -> String {
    if UNCOUNTED.contains(&word) || word.is_empty() {
        return word.to_owned();
    }
    if let Some((_, many)) = IRREGULAR.iter().find(|(one, _)| *one == word) {
        return (*many).to_owned();
    }
    if singular(word) != word || !word.ends_with(|c: char| c.is_ascii_alphabetic()) {
        return word.to_owned();
    }
    let mut back = word.chars().rev();
    let (last, before) = (back.next(), back.next());
    if last == Some('y') && !before.is_some_and(|c| "aeiou".contains(c)) {
        return format!("{}ies", &word[..word.len() - 1]);
    }
    if ["s", "x", "z", "ch", "sh"].iter().any(|end| word.ends_with(end)) {
        return format!("{word}es");
    }
    format!("{word}s")
}

/// [`singular`] of the last word of a name: `special_events` → `special_event`.
pub(super) fn singular_name(name: &str) -> String {
    on_last(name, singular)
}

/// [`plural`] of the last word of a name.
pub(super) fn plural_name(name: &str) -> String {
    on_last(name, plural)
}

fn on_last(name: &str, change: fn(&str) -> String) -> String {
    match name.rsplit_once('_') {
        Some((head, last)) => format!("{head}_{}", change(last)),
        None => change(name),
    }
}

/// The lower-case ASCII words of any text: `HTTPServerID` → `http server id`. What has letters but
/// none that can be written in ASCII becomes one word made of a hash, so that it does not vanish.
pub(super) fn split(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut lost = false;
    let characters: Vec<char> = text.chars().collect();
    for (i, &c) in characters.iter().enumerate() {
        if c == '\'' || c == '’' {
            continue;
        }
        if !c.is_alphanumeric() {
            flush(&mut words, &mut word);
            continue;
        }
        let before = i.checked_sub(1).map(|j| characters[j]);
        let after = characters.get(i + 1);
        let starts = c.is_uppercase()
            && before.is_some_and(|b| {
                b.is_lowercase()
                    || b.is_numeric()
                    || (b.is_uppercase() && after.is_some_and(|a| a.is_lowercase()))
            });
        // `VATliabilities`: capitals that are an acronym to the last one end before small letters.
        let (starts, acronym_before) = (
            starts && !ends_acronym(&characters, i),
            i > 0 && c.is_lowercase() && ends_acronym(&characters, i - 1),
        );
        if acronym_before {
            flush(&mut words, &mut word);
        }
        // `APIs`, `IDs`: the small s belongs to what is before it.
        let plural_of_capitals = starts
            && after == Some(&'s')
            && !characters.get(i + 2).is_some_and(|a| a.is_lowercase());
        if starts && !(plural_of_capitals && before.is_some_and(char::is_uppercase)) {
            flush(&mut words, &mut word);
        }
        let written = ascii(c);
        lost |= written.is_empty();
        word.push_str(&written);
    }
    flush(&mut words, &mut word);
    if lost && !words.iter().any(|w| w.len() > 1) {
        return vec![format!("x{}", short_hash(text, 5))];
    }
    words
}

/// Whether a run of capitals that is a known acronym ends at `last`, with a word in small letters behind.
fn ends_acronym(characters: &[char], last: usize) -> bool {
    const ACRONYMS: &[&str] =
        &["API", "CSV", "DNS", "HTML", "JSON", "PDF", "SMS", "SQL", "SSO", "URL", "VAT", "XML"];
    let small = |i: usize| characters.get(i).is_some_and(|c| c.is_lowercase());
    if !small(last + 1) || !small(last + 2) {
        return false;
    }
    let longest = 5;
    let capitals =
        characters[..=last].iter().rev().take(longest).take_while(|c| c.is_uppercase()).count();
    let run: String = characters[last + 1 - capitals..=last].iter().collect();
    ACRONYMS.contains(&run.as_str())
}

fn flush(words: &mut Vec<String>, word: &mut String) {
    if !word.is_empty() {
        words.push(std::mem::take(word));
    }
}

/// [`split`], joined by `_`.
pub(super) fn snake(text: &str) -> String {
    split(text).join("_")
}

/// A letter in ASCII lower case; empty when there is no simple way to write it.
fn ascii(c: char) -> String {
    const LATIN: &[(&str, &str)] = &[
        ("àáâãåāăą", "a"),
        ("äæ", "ae"),
        ("çćĉċč", "c"),
        ("ðďđ", "d"),
        ("èéêëēĕėęě", "e"),
        ("ĝğġģ", "g"),
        ("ĥħ", "h"),
        ("ìíîïĩīĭįı", "i"),
        ("ĵ", "j"),
        ("ķ", "k"),
        ("ĺļľŀł", "l"),
        ("ñńņň", "n"),
        ("òóôõøōŏő", "o"),
        ("öœ", "oe"),
        ("ŕŗř", "r"),
        ("śŝşšș", "s"),
        ("ß", "ss"),
        ("ţťŧț", "t"),
        ("þ", "th"),
        ("ùúûũūŭůűų", "u"),
        ("ü", "ue"),
        ("ŵ", "w"),
        ("ýÿŷ", "y"),
        ("źżž", "z"),
    ];
    const CYRILLIC: &[&str] = &[
        "a", "b", "v", "g", "d", "e", "zh", "z", "i", "y", "k", "l", "m", "n", "o", "p", "r", "s",
        "t", "u", "f", "kh", "ts", "ch", "sh", "shch", "", "y", "", "e", "yu", "ya",
    ];
    const GREEK: &[&str] = &[
        "a", "v", "g", "d", "e", "z", "i", "th", "i", "k", "l", "m", "n", "x", "o", "p", "r", "s",
        "s", "t", "y", "f", "ch", "ps", "o",
    ];
    if c.is_ascii() {
        return c.to_ascii_lowercase().to_string();
    }
    let mut lower = c.to_lowercase();
    let c = lower.next().unwrap_or(c);
    let from = |table: &[&str], start: char| {
        let index = (c as usize).checked_sub(start as usize)?;
        table.get(index).map(|text| (*text).to_owned())
    };
    LATIN
        .iter()
        .find(|(letters, _)| letters.contains(c))
        .map(|(_, text)| (*text).to_owned())
        .or_else(|| from(CYRILLIC, 'а'))
        .or_else(|| from(GREEK, 'α'))
        .unwrap_or_default()
}

/// A short word of letters and digits that depends on `text` only (FNV-1a, base 36).
pub(super) fn short_hash(text: &str, length: usize) -> String {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in text.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    // The low bits of FNV mix worst.
    hash ^= hash >> 29;
    let mut out = String::new();
    for _ in 0..length {
        let digit = u32::try_from(hash % 36).unwrap_or(0);
        out.push(char::from_digit(digit, 36).unwrap_or('0'));
        hash /= 36;
    }
    out
}

/// A name as a title: `read_special_events` → `Read special events`.
pub(super) fn sentence_case(name: &str) -> String {
    const CAPITALS: &[&str] = &[
        "api", "id", "url", "dns", "ssl", "tls", "http", "sms", "ip", "vpc", "cdn", "csv", "pdf",
        "json", "sql", "ssh", "oauth", "faq", "ai", "pr", "tv", "gpu", "cpu", "vm", "sso", "mfa",
    ];
    let words: Vec<String> = name
        .split('_')
        .map(|w| if CAPITALS.contains(&w) { w.to_uppercase() } else { w.to_owned() })
        .collect();
    let text = words.join(" ");
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |c| c.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(one: &str, many: &str) {
        assert_eq!(singular(many), one, "singular of {many}");
        assert_eq!(plural(one), many, "plural of {one}");
        assert_eq!(singular(one), one, "singular of {one} again");
        assert_eq!(plural(many), many, "plural of {many} again");
    }

    #[test]
    fn english_nouns_have_one_singular_and_one_plural() {
        for (one, many) in [
            ("pet", "pets"),
            ("category", "categories"),
            ("key", "keys"),
            ("movie", "movies"),
            ("status", "statuses"),
            ("address", "addresses"),
            ("box", "boxes"),
            ("branch", "branches"),
            ("cache", "caches"),
            ("case", "cases"),
            ("database", "databases"),
            ("license", "licenses"),
            ("analysis", "analyses"),
            ("person", "people"),
            ("child", "children"),
            ("index", "indices"),
            ("quiz", "quizzes"),
            ("size", "sizes"),
            ("archive", "archives"),
            ("series", "series"),
            ("metadata", "metadata"),
            ("alias", "aliases"),
            ("warehouse", "warehouses"),
            ("virus", "viruses"),
            ("tax", "taxes"),
            ("reply", "replies"),
            ("day", "days"),
            ("process", "processes"),
            ("course", "courses"),
            ("response", "responses"),
        ] {
            check(one, many);
        }
        assert_eq!(plural_name("special_event"), "special_events");
        assert_eq!(singular_name("gist_categories"), "gist_category");
    }

    fn check_split(text: &str, words: &str) {
        assert_eq!(split(text).join(" "), words, "words of {text}");
    }

    #[test]
    fn words_are_found_in_every_spelling() {
        for (text, words) in [
            ("listPets", "list pets"),
            ("HTTPServerID", "http server id"),
            ("list-special_events.json", "list special events json"),
            ("getAPIs", "get apis"),
            ("retrieveVATliabilities", "retrieve vat liabilities"),
            ("retrieveVATLiabilities", "retrieve vat liabilities"),
            ("APIserviceURLs", "api service urls"),
            ("user's", "users"),
            ("oauth2Token", "oauth2 token"),
            ("Straße", "strasse"),
            ("Größe", "groesse"),
            ("пользователи", "polzovateli"),
            ("", ""),
        ] {
            check_split(text, words);
        }
    }

    #[test]
    fn words_that_ascii_cannot_write_do_not_vanish_and_stay_apart() {
        let (a, b) = (snake("用户"), snake("订单"));
        assert_ne!(a, b);
        assert!(a.starts_with('x') && a.len() == 6, "{a}");
        assert_eq!(a, snake("用户"));
    }

    #[test]
    fn titles_are_in_sentence_case() {
        assert_eq!(sentence_case("manage_dns_records"), "Manage DNS records");
    }
}
