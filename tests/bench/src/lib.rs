//! Makes OpenAPI documents with any number of operations that look like real ones.

use std::fmt::Write as _;

/// What a business API speaks of. With a scope in front they give 1,200 families.
const NOUNS: &[&str] = &[
    "account",
    "address",
    "agreement",
    "appointment",
    "article",
    "asset",
    "balance",
    "batch",
    "booking",
    "budget",
    "campaign",
    "card",
    "carrier",
    "channel",
    "charge",
    "claim",
    "comment",
    "contact",
    "contract",
    "coupon",
    "course",
    "delivery",
    "device",
    "discount",
    "dispute",
    "document",
    "draft",
    "employee",
    "event",
    "export",
    "feature",
    "folder",
    "invoice",
    "label",
    "ledger",
    "location",
    "machine",
    "message",
    "order",
    "parcel",
];

/// What they are in.
const SCOPES: &[&str] = &[
    "",
    "billing",
    "catalog",
    "claims",
    "crm",
    "finance",
    "fleet",
    "health",
    "hiring",
    "learning",
    "legal",
    "logistics",
    "market",
    "media",
    "network",
    "payroll",
    "planning",
    "retail",
    "risk",
    "sales",
    "security",
    "sourcing",
    "support",
    "tax",
    "travel",
    "treasury",
    "utilities",
    "vendor",
    "warranty",
    "wholesale",
];

/// Operations of one family.
const FAMILY: usize = 6;

/// An OpenAPI 3.0 document in YAML with `operations` operations, rounded up to whole families.
///
/// The same number gives the same text.
pub fn document(operations: usize) -> String {
    let families = operations.div_ceil(FAMILY);
    let mut text = String::with_capacity(operations * 2_600);
    text.push_str("openapi: 3.0.3\ninfo:\n  title: Synthetic Business\n  version: 1.0.0\n");
    text.push_str("servers:\n  - url: https://api.synthetic.example/v1\n");
    text.push_str("security:\n  - key: []\ntags:\n");
    for scope in SCOPES.iter().skip(1).take(families.div_ceil(NOUNS.len())) {
        let _ = writeln!(text, "  - name: {scope}\n    description: Everything about {scope}.");
    }
    text.push_str("paths:\n");
    for family in 0..families {
        paths(&mut text, family);
    }
    text.push_str(
        "components:\n  securitySchemes:\n    key: {type: apiKey, in: header, name: X-Key}\n",
    );
    text.push_str("  parameters:\n    Limit:\n      name: limit\n      in: query\n      description: How many to give at most.\n      schema: {type: integer, minimum: 1, maximum: 100, default: 20}\n    Cursor:\n      name: cursor\n      in: query\n      description: Where to go on, from the reply before.\n      schema: {type: string}\n");
    text.push_str("  schemas:\n    Money:\n      type: object\n      required: [amount, currency]\n      properties:\n        amount: {type: integer, format: int64, description: In the smallest unit.}\n        currency: {type: string, minLength: 3, maxLength: 3}\n    Error:\n      type: object\n      properties:\n        code: {type: string}\n        message: {type: string}\n");
    for family in 0..families {
        schemas(&mut text, family);
    }
    text
}

fn names(family: usize) -> (&'static str, &'static str, String) {
    let noun = NOUNS[family % NOUNS.len()];
    let round = family / NOUNS.len();
    let scope = SCOPES[round % SCOPES.len()];
    let path = match (scope, round / SCOPES.len()) {
        ("", 0) => format!("{noun}s"),
        (scope, 0) => format!("{scope}/{noun}s"),
        (scope, n) => format!("{scope}area{n}/{noun}s"),
    };
    (noun, scope, path)
}

fn paths(text: &mut String, family: usize) {
    let (noun, scope, path) = names(family);
    let tag = if scope.is_empty() { "general" } else { scope };
    let reply = |text: &mut String, schema: &str| {
        let _ = write!(
            text,
            "      responses:\n        '200':\n          description: What was asked for.\n          content:\n            application/json:\n              schema:\n                {schema}\n        default:\n          description: What went wrong.\n          content:\n            application/json:\n              schema:\n                $ref: '#/components/schemas/Error'\n"
        );
    };
    let head = |text: &mut String, method: &str, id: &str, summary: &str| {
        let _ = write!(
            text,
            "    {method}:\n      operationId: {id}{family}\n      tags: [{tag}]\n      summary: {summary}\n      description: >-\n        {summary}. The caller needs the right to see the {noun}s of this account; what is archived is left out.\n"
        );
    };
    let body = |text: &mut String, schema: &str| {
        let _ = write!(
            text,
            "      requestBody:\n        required: true\n        content:\n          application/json:\n            schema:\n              $ref: '#/components/schemas/{schema}{family}'\n"
        );
    };
    let one = format!("$ref: '#/components/schemas/Thing{family}'");
    let many = format!(
        "type: object\n                properties:\n                  data:\n                    type: array\n                    items: {{$ref: '#/components/schemas/Thing{family}'}}\n                  next: {{type: string}}"
    );
    let _ = writeln!(text, "  /{path}:");
    head(text, "get", "list", &format!("List {noun}s"));
    let _ = write!(
        text,
        "      parameters:\n        - $ref: '#/components/parameters/Limit'\n        - $ref: '#/components/parameters/Cursor'\n        - name: status\n          in: query\n          description: Only {noun}s in this state.\n          schema: {{type: string, enum: [draft, active, closed]}}\n        - name: created_after\n          in: query\n          schema: {{type: string, format: date-time}}\n"
    );
    reply(text, &many);
    head(text, "post", "create", &format!("Create {noun}"));
    body(text, "New");
    reply(text, &one);
    let _ = write!(
        text,
        "  /{path}/{{id}}:\n    parameters:\n      - name: id\n        in: path\n        required: true\n        description: Id of the {noun}.\n        schema: {{type: string}}\n"
    );
    head(text, "get", "get", &format!("Get {noun}"));
    reply(text, &one);
    head(text, "patch", "update", &format!("Update {noun}"));
    body(text, "New");
    reply(text, &one);
    head(text, "delete", "delete", &format!("Delete {noun}"));
    reply(text, &one);
    let _ = write!(
        text,
        "  /{path}/{{id}}/close:\n    parameters:\n      - name: id\n        in: path\n        required: true\n        schema: {{type: string}}\n"
    );
    head(text, "post", "close", &format!("Close {noun}"));
    reply(text, &one);
}

fn schemas(text: &mut String, family: usize) {
    let (noun, _, _) = names(family);
    let _ = write!(
        text,
        "    New{family}:\n      type: object\n      required: [name, price]\n      properties:\n        name: {{type: string, maxLength: 200, description: What people call the {noun}.}}\n        price: {{$ref: '#/components/schemas/Money'}}\n        status: {{type: string, enum: [draft, active, closed], default: draft}}\n        due: {{type: string, format: date}}\n        labels: {{type: array, items: {{type: string}}}}\n        contact:\n          type: object\n          properties:\n            email: {{type: string, format: email}}\n            phone: {{type: string, nullable: true}}\n        metadata: {{type: object, additionalProperties: {{type: string}}}}\n    Thing{family}:\n      allOf:\n        - $ref: '#/components/schemas/New{family}'\n        - type: object\n          required: [id]\n          properties:\n            id: {{type: string, readOnly: true}}\n            created: {{type: string, format: date-time, readOnly: true}}\n            parent: {{$ref: '#/components/schemas/Thing{family}'}}\n"
    );
}
