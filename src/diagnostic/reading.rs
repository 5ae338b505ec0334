//! Findings of the reader.

use super::{Code, Severity};

/// The rows of this stage.
pub static CODES: &[&Code] = &[
    &DUPLICATE_KEY,
    &JSON_READ_AS_YAML,
    &DANGLING_REFERENCE,
    &REFERENCE_OUTSIDE_FOLDER,
    &REMOTE_REFERENCE,
    &UNFETCHED_REFERENCE,
    &DYNAMIC_REFERENCE,
    &IGNORED_REF_SIBLING,
    &TAKEN_REF_SIBLING,
    &CYCLIC_ALL_OF,
    &ALL_OF_CONFLICT,
    &ALL_OF_TOO_LARGE,
    &CLOSED_ALL_OF,
    &IMPOSSIBLE_BOUNDS,
    &TOO_MANY_SUBTYPES,
    &DISCRIMINATOR_WITHOUT_EFFECT,
    &UNEXPECTED_VALUE,
    &LOOSE_OBJECT,
    &ODD_DECLARATION,
    &VALUE_OF_OTHER_TYPE,
    &UNKNOWN_TYPE,
    &UNKNOWN_KEYWORD,
    &UNCHECKED_KEYWORD,
    &UNKNOWN_FIELD,
    &FIELD_WITHOUT_EFFECT,
    &UNKNOWN_HINT,
    &DUPLICATE_TAG,
    &DUPLICATE_PARAMETER,
    &UNUSABLE_PARAMETER,
    &PARAMETER_FORM_LEFT_OUT,
    &MISPLACED_SCHEMA,
    &RESERVED_HEADER,
    &OPTIONAL_PATH_PARAMETER,
    &PATH_PARAMETER_NOT_IN_PATH,
    &UNDECLARED_PATH_PARAMETER,
    &UNKNOWN_STYLE,
    &BODY_WITHOUT_CONTENT,
    &UNKNOWN_STATUS,
    &UNKNOWN_SECURITY_SCHEME,
    &UNDECLARED_SECURITY_SCHEME,
    &UNDECLARED_CREDENTIAL,
    &UNSTATED_SECURITY,
    &ODD_PATH,
    &SHADOWED_OPERATION,
    &AMBIGUOUS_PATH,
    &UNUSABLE_SERVER,
    &RELATIVE_SERVER,
    &DOCUMENT_WITHOUT_OPERATIONS,
    &TOO_MANY_PARTS,
    &WEBHOOKS_LEFT_OUT,
    &CALLBACKS_LEFT_OUT,
    &DUPLICATE_OPERATION_ID,
    &MISSING_OPERATION_ID,
];

/// `duplicate-key`
pub static DUPLICATE_KEY: Code = Code {
    id: "duplicate-key",
    severity: Severity::Warning,
    explanation: "An object has the same key twice. YAML and JSON readers differ in which one they take; here the last one counts, and what the first one said is lost. Remove or rename one of them.",
    example: "paths:\n  /pets:\n    get: {}\n    get: {}",
};

/// `json-read-as-yaml`
pub static JSON_READ_AS_YAML: Code = Code {
    id: "json-read-as-yaml",
    severity: Severity::Note,
    explanation: "The text looks like JSON, but has something that JSON does not allow. Comments (`//` and `/*`) are skipped; what YAML allows, such as a comma before a closing bracket, is read as YAML. Other tools may refuse it.",
    example: "{ \"openapi\": \"3.1.0\", }",
};

/// `dangling-reference`
pub static DANGLING_REFERENCE: Code = Code {
    id: "dangling-reference",
    severity: Severity::Warning,
    explanation: "A reference names a place where nothing stands, or a file that cannot be read, or it leads back to itself. What uses it is read as if it said nothing; the rest of the document is not affected. Correct the reference.",
    example: "schema:\n  $ref: '#/components/schemas/Nowhere'",
};

/// `reference-outside-folder`
pub static REFERENCE_OUTSIDE_FOLDER: Code = Code {
    id: "reference-outside-folder",
    severity: Severity::Warning,
    explanation: "A reference leads to a file that is not below the folder of the root document, by its path or through a link. A document must not read files of its choosing, so the file is not read; what uses the reference is read as if it said nothing. When the file is meant, name its folder with `--allow-refs DIR`, or under `allow-refs` in `mcp-gen.yaml`.",
    example: "schema:\n  $ref: '../common/pet.yaml'",
};

/// `remote-reference`
pub static REMOTE_REFERENCE: Code = Code {
    id: "remote-reference",
    severity: Severity::Warning,
    explanation: "A reference leads to another host. Unless `--remote-refs` is given, nothing is fetched while a document is read, since a document must not make a build machine call addresses of its choosing; and even then only `https` is followed, and never to an address that is not public. What uses the reference is read as if it said nothing. Give `--remote-refs`, or keep a copy of that document beside this one and refer to it by a relative path.",
    example: "schema:\n  $ref: 'https://example.com/pet.json'",
};

/// `unfetched-reference`
pub static UNFETCHED_REFERENCE: Code = Code {
    id: "unfetched-reference",
    severity: Severity::Error,
    explanation: "With `--remote-refs` a document at a URL was asked for, and it could not be had: the host did not answer, or answered with something else, or a bound was met (100 documents, 10 MB each, 50 MB in all, 10 seconds each, 60 seconds in all, 3 redirects). Another run may have it, and would make another plan, so this one stops. Once fetched, the copy in `mcp-gen-refs` is used and no network is needed.",
    example: "schema:\n  $ref: 'https://example.com/gone.json'",
};

/// `dynamic-reference`
pub static DYNAMIC_REFERENCE: Code = Code {
    id: "dynamic-reference",
    severity: Severity::Note,
    explanation: "Where a `$dynamicRef` leads depends on the schemas around it when several have a `$dynamicAnchor` of that name. It is read like a `$ref` to the one in its own schema resource, so a list of anything stays a list of anything. Where it matters, write the schema out with `$ref`.",
    example: "$defs:\n  Item: {$dynamicAnchor: item}\nitems:\n  $dynamicRef: '#item'",
};

/// `ignored-ref-sibling`
pub static IGNORED_REF_SIBLING: Code = Code {
    id: "ignored-ref-sibling",
    severity: Severity::Note,
    explanation: "Before OpenAPI 3.1, keywords beside the `$ref` of a schema have no meaning. Those that describe are taken here (see `taken-ref-sibling`), others are ignored. Put the reference and the keywords into `allOf`, or move to OpenAPI 3.1. Beside the `$ref` of a parameter, a request body or a response nothing but words has a meaning in any version: a `required: true` there is lost.",
    example: "$ref: '#/components/schemas/Name'\nmaxLength: 10",
};

/// `taken-ref-sibling`
pub static TAKEN_REF_SIBLING: Code = Code {
    id: "taken-ref-sibling",
    severity: Severity::Note,
    explanation: "Before OpenAPI 3.1, keywords beside `$ref` have no meaning. Authors write `readOnly`, `writeOnly`, `nullable`, `deprecated`, `default` and examples there all the same and mean them, so they are taken: a field with `readOnly: true` is no argument. Other tools may ignore them. Put the reference and the keywords into `allOf`, or move to OpenAPI 3.1. Each keyword is reported once.",
    example: "owner:\n  $ref: '#/components/schemas/Person'\n  readOnly: true",
};

/// `cyclic-all-of`
pub static CYCLIC_ALL_OF: Code = Code {
    id: "cyclic-all-of",
    severity: Severity::Warning,
    explanation: "A schema must satisfy itself: following `allOf`, or a lone variant, or a reference with siblings, leads back to where it began. The member that closes the circle is left out.",
    example: "A:\n  allOf:\n    - $ref: '#/components/schemas/A'",
};

/// `all-of-conflict`
pub static ALL_OF_CONFLICT: Code = Code {
    id: "all-of-conflict",
    severity: Severity::Warning,
    explanation: "Schemas that must hold together contradict each other, so that no value could satisfy all of them: members of `allOf`, what stands beside it or beside a `$ref`, `const` and `enum`. The last one counts, so that calls stay possible. Members that give one value another `format` or `default` are reported as well.",
    example: "allOf:\n  - type: string\n  - type: integer",
};

/// `all-of-too-large`
pub static ALL_OF_TOO_LARGE: Code = Code {
    id: "all-of-too-large",
    severity: Severity::Warning,
    explanation: "Merging the members of `allOf` would make more schemas than a document can need. Further ones are not merged, so what they say in common may be incomplete. Documents that do this are usually made to exhaust their readers.",
    example: "allOf: [ ... thousands of overlapping members ... ]",
};

/// `closed-all-of`
pub static CLOSED_ALL_OF: Code = Code {
    id: "closed-all-of",
    severity: Severity::Note,
    explanation: "A member of `allOf` has `additionalProperties: false`, which forbids every property that this member does not declare itself, and another one requires such a property. Taken to the letter no value could be right; what is meant is that the whole has no further properties, and it is read so.",
    example: "allOf:\n  - {properties: {a: {}}, additionalProperties: false}\n  - {properties: {b: {}}, required: [b]}",
};

/// `impossible-bounds`
pub static IMPOSSIBLE_BOUNDS: Code = Code {
    id: "impossible-bounds",
    severity: Severity::Warning,
    explanation: "The lower bound of a schema is above its upper bound, so that no value could be right. Neither is checked, so that calls stay possible; the API answers.",
    example: "type: integer\nminimum: 5\nmaximum: 2",
};

/// `discriminator-without-effect`
pub static DISCRIMINATOR_WITHOUT_EFFECT: Code = Code {
    id: "discriminator-without-effect",
    severity: Severity::Note,
    explanation: "A `discriminator` names a property that none of its schemas declares, so that no argument can carry it, or its `mapping` names a schema that does not stand under `oneOf` or `anyOf` beside it. What has no effect is left out.",
    example: "oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]\ndiscriminator: {propertyName: nosuch}",
};

/// `too-many-subtypes`
pub static TOO_MANY_SUBTYPES: Code = Code {
    id: "too-many-subtypes",
    severity: Severity::Note,
    explanation: "A base schema with a `discriminator` has more schemas made of it than one argument can describe. Where the base is asked for, only its own properties are offered. Where a request may hold a few of them, list these under `oneOf`.",
    example: "Base:\n  discriminator: {propertyName: kind}\nHeir1: {allOf: [{$ref: '#/components/schemas/Base'}]}\n# … and dozens more",
};

/// `unexpected-value`
pub static UNEXPECTED_VALUE: Code = Code {
    id: "unexpected-value",
    severity: Severity::Warning,
    explanation: "A value is of another kind than the specification asks for at this place. It is read as well as it can be, or left out; nothing around it is affected.",
    example: "parameters:\n  limit: 10",
};

/// `loose-object`
pub static LOOSE_OBJECT: Code = Code {
    id: "loose-object",
    severity: Severity::Note,
    explanation: "An object lacks a required field, or a field has another type than the specification says, such as a version written as a number. It is read field by field instead.",
    example: "info:\n  title: Pets\n  version: 1.0",
};

/// `odd-declaration`
pub static ODD_DECLARATION: Code = Code {
    id: "odd-declaration",
    severity: Severity::Note,
    explanation: "A value has the type that it must have, but the specification forbids it where it stands: a default of a server variable that is not listed, a tag whose parent is not declared, a flow that its version does not know. The message says what is made of it.",
    example: "tags:\n  - name: cats\n    parent: nowhere",
};

/// `unknown-type`
pub static UNKNOWN_TYPE: Code = Code {
    id: "unknown-type",
    severity: Severity::Warning,
    explanation: "JSON Schema knows the types `string`, `number`, `integer`, `boolean`, `array`, `object` and `null`. Another word is read as if there were no type, so any value is allowed.",
    example: "type: date",
};

/// `unknown-keyword`
pub static UNKNOWN_KEYWORD: Code = Code {
    id: "unknown-keyword",
    severity: Severity::Note,
    explanation: "The word is no keyword of JSON Schema or OpenAPI and has no effect. Each word is reported once. Extensions begin with `x-`.",
    example: "type: string\nmaxLenght: 10",
};

/// `unchecked-keyword`
pub static UNCHECKED_KEYWORD: Code = Code {
    id: "unchecked-keyword",
    severity: Severity::Note,
    explanation: "The keyword asks for more than the server can check, such as a condition between fields. Fields that only it declares are offered as optional arguments; what it forbids is sent all the same, and the API answers. So it is with a second `pattern` or `multipleOf` of schemas that hold together. Each keyword is reported once.",
    example: "if: { properties: { kind: { const: gift } } }\nthen: { properties: { wrapping: { type: string } } }",
};

/// `unknown-field`
pub static UNKNOWN_FIELD: Code = Code {
    id: "unknown-field",
    severity: Severity::Note,
    explanation: "The word has no meaning at this place and has no effect. Extensions begin with `x-`.",
    example: "paths:\n  /pets:\n    fetch: {}",
};

/// `field-without-effect`
pub static FIELD_WITHOUT_EFFECT: Code = Code {
    id: "field-without-effect",
    severity: Severity::Note,
    explanation: "The specification gives the field a meaning, but generated servers do nothing with it; the message says what happens instead. Each field is reported once for each kind of object.",
    example: "responses:\n  '201':\n    description: Created\n    links: {next: {operationId: get_pet}}",
};

/// `unknown-hint`
pub static UNKNOWN_HINT: Code = Code {
    id: "unknown-hint",
    severity: Severity::Warning,
    explanation: "On operations and paths `x-mcp` holds `name`, `title`, `description`, `skip`, `group` and `posture`, on tags the last three, on parameters only `name`; a posture is `primary`, `secondary` or `catalog`. Anything else, and `x-mcp` at any other place, has no effect.",
    example: "x-mcp:\n  nmae: find_pets",
};

/// `duplicate-tag`
pub static DUPLICATE_TAG: Code = Code {
    id: "duplicate-tag",
    severity: Severity::Note,
    explanation: "A tag is declared more than once. The first declaration counts.",
    example: "tags:\n  - name: pets\n  - name: pets",
};

/// `duplicate-parameter`
pub static DUPLICATE_PARAMETER: Code = Code {
    id: "duplicate-parameter",
    severity: Severity::Warning,
    explanation: "One list of parameters declares the same name in the same place twice. The last one counts.",
    example: "parameters:\n  - {name: limit, in: query}\n  - {name: limit, in: query}",
};

/// `unusable-parameter`
pub static UNUSABLE_PARAMETER: Code = Code {
    id: "unusable-parameter",
    severity: Severity::Warning,
    explanation: "A parameter has no name, or a place that does not exist, or cannot stand beside the others, so that it cannot be sent. It is left out.",
    example: "parameters:\n  - {name: limit, in: url}",
};

/// `parameter-form-left-out`
pub static PARAMETER_FORM_LEFT_OUT: Code = Code {
    id: "parameter-form-left-out",
    severity: Severity::Warning,
    explanation: "A parameter has either a `schema` or one media type under `content`. Where there is more, the first media type counts and the rest is left out.",
    example: "parameters:\n  - name: sort\n    in: query\n    schema: {type: string}\n    content: {application/json: {}}",
};

/// `misplaced-schema`
pub static MISPLACED_SCHEMA: Code = Code {
    id: "misplaced-schema",
    severity: Severity::Warning,
    explanation: "A keyword of schemas, such as `type` or `enum`, stands beside the name of a parameter, as it did in Swagger 2.0. Since OpenAPI 3.0 it belongs under `schema`; it is read as if it stood there. Each keyword is reported once.",
    example: "parameters:\n  - {name: limit, in: query, type: integer}",
};

/// `reserved-header`
pub static RESERVED_HEADER: Code = Code {
    id: "reserved-header",
    severity: Severity::Note,
    explanation: "The specification says that header parameters named `Accept`, `Content-Type` and `Authorization` are ignored: media types and security schemes decide about them. They are left out. An operation that declares `Authorization` and says nothing of security asks for any of the schemes that are sent there. So are headers that belong to the connection or to how a request is written, such as `Host`, `Connection`, `Content-Length`, `Transfer-Encoding`, `Expect` or `Accept-Encoding`: the HTTP client sets them, and another value would break the request or its answer.",
    example: "parameters:\n  - {name: Authorization, in: header}",
};

/// `optional-path-parameter`
pub static OPTIONAL_PATH_PARAMETER: Code = Code {
    id: "optional-path-parameter",
    severity: Severity::Note,
    explanation: "A path cannot be called without the values in it, so the specification asks for `required: true` on each path parameter. It is required in any case.",
    example: "parameters:\n  - {name: id, in: path}",
};

/// `path-parameter-not-in-path`
pub static PATH_PARAMETER_NOT_IN_PATH: Code = Code {
    id: "path-parameter-not-in-path",
    severity: Severity::Warning,
    explanation: "A path parameter is declared whose name does not stand in braces in the path, so its value could go nowhere. It is left out. Names are compared with upper and lower case.",
    example: "paths:\n  /pets/{petId}:\n    parameters:\n      - {name: petid, in: path, required: true}",
};

/// `undeclared-path-parameter`
pub static UNDECLARED_PATH_PARAMETER: Code = Code {
    id: "undeclared-path-parameter",
    severity: Severity::Warning,
    explanation: "The path has a name in braces that no parameter declares. Without a value the path cannot be called, so a required text parameter is taken.",
    example: "paths:\n  /pets/{petId}:\n    get: {}",
};

/// `unknown-style`
pub static UNKNOWN_STYLE: Code = Code {
    id: "unknown-style",
    severity: Severity::Warning,
    explanation: "The style does not exist, or not for parameters in this place. The default of the place is taken.",
    example: "parameters:\n  - {name: id, in: path, required: true, style: form}",
};

/// `body-without-content`
pub static BODY_WITHOUT_CONTENT: Code = Code {
    id: "body-without-content",
    severity: Severity::Warning,
    explanation: "A request body names no media type, so nothing says what could be sent. The operation is read as having no body.",
    example: "requestBody:\n  required: true",
};

/// `unknown-status`
pub static UNKNOWN_STATUS: Code = Code {
    id: "unknown-status",
    severity: Severity::Note,
    explanation: "Responses are listed by status code, by range such as `2XX`, or as `default`. A response under another key is left out.",
    example: "responses:\n  ok: {description: fine}",
};

/// `unknown-security-scheme`
pub static UNKNOWN_SECURITY_SCHEME: Code = Code {
    id: "unknown-security-scheme",
    severity: Severity::Warning,
    explanation: "A security scheme has a type that does not exist, or lacks what its type needs. It is left out, and so is every requirement that names it.",
    example: "securitySchemes:\n  key: {type: token}",
};

/// `undeclared-security-scheme`
pub static UNDECLARED_SECURITY_SCHEME: Code = Code {
    id: "undeclared-security-scheme",
    severity: Severity::Warning,
    explanation: "A security requirement names a scheme that is not declared, or that could not be read. That alternative is left out; if no other remains, the operation is called without credentials.",
    example: "security:\n  - api_key: []",
};

/// `undeclared-credential`
pub static UNDECLARED_CREDENTIAL: Code = Code {
    id: "undeclared-credential",
    severity: Severity::Warning,
    explanation: "A parameter has the name of a credential, or names the account beside one, and no security scheme of its operations sends it. A model must not fill a credential in, so it is taken as a security scheme of its own: a setting of the server, and no argument. It is needed where the parameter is required, and sent where it is set otherwise. Declare the scheme; if it is an argument after all, say `x-mcp: {argument: true}` on the parameter.",
    example: "parameters:\n  - {name: Api-Key, in: header, required: true, schema: {type: string}}",
};

/// `unstated-security`
pub static UNSTATED_SECURITY: Code = Code {
    id: "unstated-security",
    severity: Severity::Warning,
    explanation: "The document declares security schemes, and `security` stands neither at its root nor on any operation, which by the specification means that no credential is ever sent. It is most often forgotten, so every operation takes each scheme where its setting is there, and is called without where none is. Say `security` at the root, by an overlay where the document is not yours; `security: []` says that nothing is needed.",
    example: "components: {securitySchemes: {token: {type: http, scheme: bearer}}}",
};

/// `odd-path`
pub static ODD_PATH: Code = Code {
    id: "odd-path",
    severity: Severity::Warning,
    explanation: "A path must begin with `/`, have names in matching braces, each once, and no query; the methods below it are written in lower case, and under `additionalOperations` stand only methods without a field of their own. What is meant is taken where that is clear; a method that no request can have is left out.",
    example: "paths:\n  pets:\n    GET: {}",
};

/// `document-without-operations`
pub static DOCUMENT_WITHOUT_OPERATIONS: Code = Code {
    id: "document-without-operations",
    severity: Severity::Error,
    explanation: "The document has no `paths`, or there is no operation in them, so there is nothing that a tool could do. Documents that only describe webhooks or shared components are such.",
    example: "openapi: 3.1.0\ninfo: {title: Empty, version: '1'}\npaths: {}",
};

/// `webhooks-left-out`
pub static WEBHOOKS_LEFT_OUT: Code = Code {
    id: "webhooks-left-out",
    severity: Severity::Note,
    explanation: "Webhooks are calls that the API makes to others. A tool calls the API, so webhooks are left out.",
    example: "webhooks:\n  newPet:\n    post: {}",
};

/// `callbacks-left-out`
pub static CALLBACKS_LEFT_OUT: Code = Code {
    id: "callbacks-left-out",
    severity: Severity::Note,
    explanation: "Callbacks are calls that the API makes to an address given in a request. A tool calls the API, so callbacks are left out.",
    example: "callbacks:\n  onEvent: {}",
};

/// `duplicate-operation-id`
pub static DUPLICATE_OPERATION_ID: Code = Code {
    id: "duplicate-operation-id",
    severity: Severity::Warning,
    explanation: "Two operations have the same `operationId`, which must be unique. Both are kept; names are made from their paths where the id does not tell them apart.",
    example: "get: {operationId: list}\npost: {operationId: list}",
};

/// `missing-operation-id`
pub static MISSING_OPERATION_ID: Code = Code {
    id: "missing-operation-id",
    severity: Severity::Note,
    explanation: "Operations without an `operationId` are named after their method and path. An `operationId` keeps the name when the path changes.",
    example: "paths:\n  /pets:\n    get: {}",
};

/// `value-of-other-type`
pub static VALUE_OF_OTHER_TYPE: Code = Code {
    id: "value-of-other-type",
    severity: Severity::Note,
    explanation: "A value under `enum`, `const` or `default` has another type than the schema says, such as a number without quotes where text is meant. Taken as it stands, no value could ever be right, so it is converted where that is clear, else left out; where no value is of the type, the values count and not the type. Values that stand beside the `items` of a list, and are no lists, are taken as those of its entries.",
    example: "type: string\nenum: [1.0, 2.0]",
};

/// `shadowed-operation`
pub static SHADOWED_OPERATION: Code = Code {
    id: "shadowed-operation",
    severity: Severity::Warning,
    explanation: "The same method stands twice for one path, in upper and in lower case or both beside a `$ref` and behind it. The first one counts, beside the `$ref` before behind it; the other one is left out.",
    example: "paths:\n  /pets:\n    get: {}\n    GET: {}",
};

/// `unusable-server`
pub static UNUSABLE_SERVER: Code = Code {
    id: "unusable-server",
    severity: Severity::Warning,
    explanation: "A server has no URL, is reached by something other than HTTP, such as web sockets, or its URL is none that requests can go to: a variable that is not declared, a user name, a query. The next server is taken, or that of the API.",
    example: "servers:\n  - url: wss://example.com",
};

/// `relative-server`
pub static RELATIVE_SERVER: Code = Code {
    id: "relative-server",
    severity: Severity::Warning,
    explanation: "The URL of a server is relative to the place where the document is served, which a file does not tell. The generated server does not start until its setting `…_BASE_URL` names the host, and says so: a URL without a path there gets the path of the document, and paths that operations have for themselves are at the same host.",
    example: "servers:\n  - url: /api/v3",
};

/// `ambiguous-path`
pub static AMBIGUOUS_PATH: Code = Code {
    id: "ambiguous-path",
    severity: Severity::Note,
    explanation: "Two paths differ only in the names between braces. On the wire they are the same, so the API answers both with one operation, and the specification forbids it. Both are kept.",
    example: "paths:\n  /pets/{id}: {get: {}}\n  /pets/{name}: {get: {}}",
};

/// `too-many-parts`
pub static TOO_MANY_PARTS: Code = Code {
    id: "too-many-parts",
    severity: Severity::Warning,
    explanation: "The parameters, media types, headers and responses of all operations, each counted where it is used, are more than a document can need. Operations beyond that are left out. Documents that do this are usually made to exhaust their readers.",
    example: "paths: { ... thousands of operations that share one response with thousands of headers ... }",
};
