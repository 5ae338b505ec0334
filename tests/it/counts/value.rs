//! YAML by way of serde as a JSON value: any integer, keys of any kind, merge keys; of a key that
//! stands twice the last counts.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor};
use serde_json::{Map, Value as Json};

/// A value of a YAML document.
pub struct Yaml(pub Json);

impl<'de> Deserialize<'de> for Yaml {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Any).map(Yaml)
    }
}

struct Any;

impl<'de> Visitor<'de> for Any {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E>(self, v: bool) -> Result<Json, E> {
        Ok(v.into())
    }

    fn visit_i64<E>(self, v: i64) -> Result<Json, E> {
        Ok(v.into())
    }

    fn visit_u64<E>(self, v: u64) -> Result<Json, E> {
        Ok(v.into())
    }

    #[expect(clippy::cast_precision_loss, reason = "names are compared, not bounds")]
    fn visit_i128<E>(self, v: i128) -> Result<Json, E> {
        Ok((v as f64).into())
    }

    #[expect(clippy::cast_precision_loss, reason = "names are compared, not bounds")]
    fn visit_u128<E>(self, v: u128) -> Result<Json, E> {
        Ok((v as f64).into())
    }

    fn visit_f64<E>(self, v: f64) -> Result<Json, E> {
        Ok(v.into())
    }

    fn visit_str<E>(self, v: &str) -> Result<Json, E> {
        Ok(v.into())
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Json, A::Error> {
        let mut items = Vec::new();
        while let Some(Yaml(item)) = seq.next_element()? {
            items.push(item);
        }
        Ok(items.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Json, A::Error> {
        let mut map = Map::new();
        let mut merged = Vec::new();
        while let Some((Yaml(key), Yaml(value))) = entries.next_entry()? {
            let key = match key {
                Json::String(text) => text,
                other => other.to_string(),
            };
            match value {
                Json::Object(other) if key == "<<" => merged.push(Json::Object(other)),
                Json::Array(others) if key == "<<" => merged.extend(others),
                value => {
                    map.insert(key, value);
                }
            }
        }
        for other in merged {
            if let Json::Object(other) = other {
                for (key, value) in other {
                    map.entry(key).or_insert(value);
                }
            }
        }
        Ok(Json::Object(map))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, tagged: A) -> Result<Json, A::Error> {
        let (_, content) = tagged.variant::<serde::de::IgnoredAny>()?;
        content.newtype_variant::<Yaml>().map(|yaml| yaml.0)
    }
}
