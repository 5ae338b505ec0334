//! Small APIs made by hand, for tests.

use crate::ir::{
    Additional, Api, Body, Content, Location, Method, Operation, OperationKey, Parameter, Schema,
    SchemaId, Style, Types,
};
use crate::source::{At, Node, Number, Pointer, Value};

/// An API that grows.
#[derive(Default)]
pub struct Sample {
    pub api: Api,
}

pub fn types(names: &str) -> Types {
    Types {
        null: names.contains("null"),
        boolean: names.contains("boolean"),
        integer: names.contains("integer"),
        number: names.contains("number"),
        string: names.contains("string"),
        array: names.contains("array"),
        object: names.contains("object"),
    }
}

pub fn text(value: &str) -> Node {
    Node::made(Value::String(value.to_owned()))
}

pub fn number(value: &str) -> Node {
    Node::made(Value::Number(Number(value.to_owned())))
}

impl Sample {
    pub fn schema(&mut self, schema: Schema) -> SchemaId {
        self.api.schemas.push(schema);
        SchemaId(u32::try_from(self.api.schemas.len() - 1).unwrap())
    }

    pub fn of(&mut self, names: &str) -> SchemaId {
        self.schema(Schema { types: types(names), ..Schema::default() })
    }

    pub fn list(&mut self, items: SchemaId) -> SchemaId {
        self.schema(Schema { types: types("array"), items: Some(items), ..Schema::default() })
    }

    /// An object; fields that end in `!` are required.
    pub fn object(&mut self, fields: &[(&str, SchemaId)]) -> SchemaId {
        let name = |f: &str| f.trim_end_matches('!').to_owned();
        let required = fields.iter().filter(|(f, _)| f.ends_with('!'));
        self.schema(Schema {
            types: types("object"),
            required: required.map(|(f, _)| name(f)).collect(),
            properties: fields.iter().map(|(f, id)| (name(f), *id)).collect(),
            ..Schema::default()
        })
    }

    pub fn map(&mut self, values: SchemaId) -> SchemaId {
        self.schema(Schema {
            types: types("object"),
            additional: Additional::Schema(values),
            ..Schema::default()
        })
    }

    pub fn operation(&mut self, key: &str, summary: &str) -> &mut Operation {
        let (method, path) = key.split_once(' ').unwrap();
        let method = match method {
            "GET" => Method::Get,
            "POST" => Method::Post,
            "PUT" => Method::Put,
            "PATCH" => Method::Patch,
            "DELETE" => Method::Delete,
            other => Method::Other(other.to_owned()),
        };
        self.api.operations.push(Operation {
            key: OperationKey { method, path: path.to_owned() },
            id: None,
            summary: (!summary.is_empty()).then(|| summary.to_owned()),
            description: None,
            tags: Vec::new(),
            deprecated: false,
            parameters: Vec::new(),
            body: None,
            responses: Vec::new(),
            security: Vec::new(),
            servers: Vec::new(),
            hints: crate::ir::Hints::default(),
            at: At::default(),
            pointer: Pointer::default(),
        });
        self.api.operations.last_mut().unwrap()
    }
}

pub fn parameter(place: &str, schema: SchemaId) -> Parameter {
    let (location, name) = place.split_once(':').unwrap();
    let location = match location {
        "path" => Location::Path,
        "query" => Location::Query,
        "header" => Location::Header,
        _ => Location::Cookie,
    };
    Parameter {
        required: name.ends_with('!') || location == Location::Path,
        name: name.trim_end_matches('!').to_owned(),
        location,
        deprecated: false,
        description: None,
        schema,
        style: Style::Simple,
        explode: false,
        allow_reserved: false,
        allow_empty: false,
        media_type: None,
        example: None,
        hint_name: None,
        argument: false,
        at: At::default(),
        pointer: Pointer::default(),
    }
}

#[expect(clippy::unnecessary_wraps, reason = "it fills `Operation::body`")]
pub fn body(contents: &[(&str, Option<SchemaId>)]) -> Option<Body> {
    let contents = contents.iter().map(|(media_type, schema)| Content {
        media_type: (*media_type).to_owned(),
        schema: *schema,
        encoding: indexmap::IndexMap::new(),
        example: None,
    });
    Some(Body { required: true, description: None, contents: contents.collect() })
}
