//! Request bodies, responses and their media types.

use std::collections::HashSet;

use indexmap::IndexMap;

use super::detect::Version;
use super::fields::Known;
use super::lower::{Lowerer, Spot};
use super::parameter::{Parameters, is_file, style_named};
use crate::diagnostic::reading;
use crate::ir::{Api, Body, Content, Encoding, Location, Response, Schema, SchemaId, Types};
use crate::source::Value;

const JSON: &str = "application/json";
const FORM: &str = "application/x-www-form-urlencoded";
const MULTIPART: &str = "multipart/form-data";

/// In OpenAPI 3.1 a part of a multipart body that has no type is a file (section 4.8.14.4).
pub(super) fn files_without_a_type(api: &mut Api) {
    let Api { operations, schemas, .. } = api;
    let bodies = operations.iter_mut().filter_map(|operation| operation.body.as_mut());
    for content in bodies.flat_map(|body| &mut body.contents) {
        let Some(id) = content.schema.filter(|_| content.media_type.starts_with("multipart/"))
        else {
            continue;
        };
        let mut whole = schemas[id.0 as usize].clone();
        let mut changed = false;
        for (name, part) in &mut whole.properties {
            let said = content.encoding.get(name).is_some_and(|own| own.content_type.is_some());
            if said || !is_anything(&schemas[part.0 as usize]) {
                continue;
            }
            let mut file = schemas[part.0 as usize].clone();
            file.types.string = true;
            file.format = Some("binary".to_owned());
            *part = push(schemas, file);
            changed = true;
        }
        if changed {
            // Others may use the same schema outside a form.
            content.schema = Some(push(schemas, whole));
        }
    }
}

fn push(schemas: &mut Vec<Schema>, schema: Schema) -> SchemaId {
    schemas.push(schema);
    let last = schemas.len() - 1;
    SchemaId(u32::try_from(last).unwrap_or_else(|_| unreachable!("a document has fewer schemas")))
}

/// Whether a schema says nothing but words.
fn is_anything(schema: &Schema) -> bool {
    let types = schema.types;
    let none = Types { null: false, ..types } == Types::default();
    let all = types.boolean && types.number && types.string && types.array && types.object;
    (none || all)
        && schema.values.is_none()
        && schema.variants.is_empty()
        && schema.properties.is_empty()
        && schema.content_encoding.is_none()
        && schema.content_media_type.is_none()
        && !schema.never
        && schema.other.is_empty()
}

impl<'a> Lowerer<'a, '_> {
    /// The `requestBody` of an operation.
    pub(super) fn body(&mut self, operation: &Spot<'a>) -> Option<Body> {
        let written = operation.get("requestBody")?;
        let spot = self.resolve(&written)?;
        let words = self.words_beside(&written);
        if !self.is_object(&spot, "requestBody") {
            return None;
        }
        self.known_fields(&spot, Known::Body);
        let contents = self.contents(&spot);
        if contents.is_empty() {
            self.report(
                &reading::BODY_WITHOUT_CONTENT,
                &spot,
                "the request body names no media type; no body is sent",
            );
            return None;
        }
        Some(Body {
            required: self.flag(&spot, "required").unwrap_or(false),
            description: words.or_else(|| self.text(&spot, "description")),
            contents,
        })
    }

    fn contents(&mut self, spot: &Spot<'a>) -> Vec<Content> {
        let Some(content) = self.object(spot, "content") else { return Vec::new() };
        let mut contents = Vec::new();
        for (media_type, media) in content.members() {
            self.parts += 1;
            let mut schema = None;
            let mut encoding = IndexMap::new();
            let mut example = None;
            if let Some(media) = self.resolve(&media) {
                self.known_fields(&media, Known::Media);
                schema = self.media_schema(&media);
                example = self.example(&media);
                encoding = self.encodings(&media);
            }
            contents.push(Content { media_type: media_type.to_owned(), schema, encoding, example });
        }
        contents
    }

    /// The schema of a media type. One for the items of a sequence (3.2 `itemSchema`) makes a list.
    fn media_schema(&mut self, media: &Spot<'a>) -> Option<SchemaId> {
        let items = media.get("itemSchema");
        if let Some(schema) = media.get("schema") {
            if let Some(items) = items {
                let message = "`itemSchema` stands beside `schema`, which counts";
                self.report(&reading::FIELD_WITHOUT_EFFECT, &items, message);
            }
            return Some(self.schema_id(&schema));
        }
        let items = items?;
        let mut list =
            Schema { at: items.node.at, pointer: items.pointer.clone(), ..Schema::default() };
        list.types.array = true;
        list.items = Some(self.schema_id(&items));
        Some(self.made_schema(list))
    }

    fn encodings(&mut self, media: &Spot<'a>) -> IndexMap<String, Encoding> {
        let Some(place) = self.object(media, "encoding") else { return IndexMap::new() };
        let mut out = IndexMap::new();
        for (name, spot) in place.members() {
            self.parts += 1;
            if !self.is_object(&spot, "encoding") {
                continue;
            }
            self.known_fields(&spot, Known::Encoding);
            let style = self.text(&spot, "style").and_then(|word| {
                let style = style_named(&word);
                if style.is_none() {
                    let message = format!("style `{word}` does not exist; the default is taken");
                    let place = spot.get("style").unwrap_or_else(|| spot.clone());
                    self.report(&reading::UNKNOWN_STYLE, &place, message);
                }
                style
            });
            let encoding = Encoding {
                content_type: self.text(&spot, "contentType"),
                style,
                explode: self.flag(&spot, "explode"),
                allow_reserved: self.flag(&spot, "allowReserved").unwrap_or(false),
            };
            out.insert(name.to_owned(), encoding);
        }
        out
    }

    /// The responses of an operation.
    pub(super) fn responses(&mut self, operation: &Spot<'a>) -> Vec<Response> {
        let Some(list) = self.object(operation, "responses") else { return Vec::new() };
        let mut out = Vec::new();
        for (status, spot) in list.members() {
            self.parts += 1;
            if status.starts_with("x-") {
                continue;
            }
            let Some(code) = status_code(status) else {
                let message = format!("`{status}` is no status code; the response is left out");
                self.report(&reading::UNKNOWN_STATUS, &spot, message);
                continue;
            };
            let mut response =
                Response { status: code, description: None, contents: vec![], headers: vec![] };
            if let Some(place) = self.resolve(&spot)
                && self.is_object(&place, "response")
            {
                self.known_fields(&place, Known::Response);
                response.description =
                    self.words_beside(&spot).or_else(|| self.text(&place, "description"));
                if response.description.as_deref().is_none_or(str::is_empty) {
                    response.description = self.text(&place, "summary").or(response.description);
                }
                response.contents = match self.version {
                    Version::V2 => self.swagger_contents(operation, &place),
                    Version::V30 | Version::V31 => self.contents(&place),
                };
                if let Some(links) = self.object(&place, "links") {
                    // Nothing is taken from them, yet a reference that leads nowhere is a fault.
                    for (_, link) in links.members() {
                        self.parts += 1;
                        self.resolve(&link);
                    }
                }
                if let Some(headers) = self.object(&place, "headers") {
                    for (name, header) in headers.members() {
                        self.parts += 1;
                        if self.resolve(&header).is_some() {
                            response.headers.push(name.to_owned());
                        }
                    }
                }
            }
            out.push(response);
        }
        out
    }

    fn swagger_contents(&mut self, operation: &Spot<'a>, response: &Spot<'a>) -> Vec<Content> {
        let Some(schema) = response.get("schema") else { return Vec::new() };
        let id = self.schema_id(&schema);
        let types = self.media_types(operation, "produces");
        let examples = self.object(response, "examples");
        let content = |media_type: String| Content {
            example: examples.as_ref().and_then(|e| e.node.get(&media_type)).cloned(),
            media_type,
            schema: Some(id),
            encoding: IndexMap::new(),
        };
        types.into_iter().map(content).collect()
    }

    fn media_types(&mut self, operation: &Spot<'a>, key: &str) -> Vec<String> {
        let mut types = self.texts(operation, key);
        if operation.get(key).is_none() {
            let root = self.root();
            types = self.texts(&root, key);
        }
        if types.is_empty() {
            types.push(JSON.to_owned());
        }
        let mut seen = HashSet::new();
        types.retain(|t| seen.insert(t.clone()));
        self.parts += types.len();
        types
    }

    /// The body that Swagger 2.0 parameters make.
    pub(super) fn swagger_body(
        &mut self,
        operation: &Spot<'a>,
        parameters: &Parameters<'a>,
    ) -> Option<Body> {
        if let Some(spot) = &parameters.body {
            for field in parameters.form.values() {
                self.report(
                    &reading::UNUSABLE_PARAMETER,
                    field,
                    "an operation cannot have `body` and `formData` parameters; the form is left out",
                );
            }
            let schema = spot.get("schema").map(|schema| self.schema_id(&schema));
            let example = spot.node.get("x-example").cloned();
            let content = |media_type| Content {
                media_type,
                schema,
                encoding: IndexMap::new(),
                example: example.clone(),
            };
            let types = self.media_types(operation, "consumes");
            return Some(Body {
                required: self.flag(spot, "required").unwrap_or(false),
                description: self.text(spot, "description"),
                contents: types.into_iter().map(content).collect(),
            });
        }
        let (_, first) = parameters.form.first()?;
        let mut schema =
            Schema { at: first.node.at, pointer: first.pointer.clone(), ..Schema::default() };
        schema.types.object = true;
        let mut encoding = IndexMap::new();
        let mut file = false;
        for (name, spot) in &parameters.form {
            self.parts += 1;
            file |= is_file(spot);
            let id = self.form_field(spot);
            schema.properties.insert(name.clone(), id);
            if self.flag(spot, "required") == Some(true) {
                schema.required.insert(name.clone());
            }
            if matches!(spot.node.get("type").map(|n| &n.value), Some(Value::String(t)) if t == "array")
            {
                let (style, explode) = self.collection_format(spot, Location::Query);
                let own =
                    Encoding { style: Some(style), explode: Some(explode), ..Encoding::default() };
                encoding.insert(name.clone(), own);
            }
        }
        let required = !schema.required.is_empty();
        let id = self.made_schema(schema);
        let mut types = self.media_types(operation, "consumes");
        types.retain(|t| t.starts_with(FORM) || t.starts_with("multipart/"));
        if file {
            types.retain(|t| t.starts_with("multipart/"));
        }
        if types.is_empty() {
            types.push(if file { MULTIPART } else { FORM }.to_owned());
        }
        let content = |media_type| Content {
            media_type,
            schema: Some(id),
            encoding: encoding.clone(),
            example: None,
        };
        Some(Body {
            required,
            description: None,
            contents: types.into_iter().map(content).collect(),
        })
    }

    fn form_field(&mut self, spot: &Spot<'a>) -> SchemaId {
        let id = self.parameter_schema_id(spot);
        let description = self.text(spot, "description");
        let Some(lowered) = self.force(id) else { return id };
        let mut schema = lowered.schema.clone();
        schema.description = description;
        self.made_schema(schema)
    }
}

/// `200`, `2XX`, `default`, or nothing of the kind.
fn status_code(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    if text.eq_ignore_ascii_case("default") {
        return Some("default".to_owned());
    }
    let first = *bytes.first()?;
    let hundreds = bytes.len() == 3 && (b'1'..=b'5').contains(&first);
    let digits = bytes[1..].iter().all(u8::is_ascii_digit);
    let range = bytes[1..].iter().all(|b| matches!(b, b'x' | b'X'));
    (hundreds && (digits || range)).then(|| text.to_ascii_uppercase())
}
