use super::*;
use crate::ir::{ApiKeyPlace, Requirement, Schema, SecurityScheme};
use crate::planner::sample::{Sample, body, parameter, types};
use crate::source::{At, Node, Value};

/// `name=place`, with `!` where it is required.
fn shown(flat: &Flat) -> Vec<String> {
    flat.leaves
        .iter()
        .map(|l| format!("{}{}={}", l.name, if l.required { "!" } else { "" }, l.place))
        .collect()
}

/// The leaves and the codes of findings of the only operation.
fn check(sample: &Sample, expected: &[&str], codes: &[&str]) -> Flat {
    let mut diagnostics = Diagnostics::default();
    let operation = &sample.api.operations[0];
    let flat = flatten(&mut diagnostics, &sample.api, operation);
    assert_eq!(shown(&flat), expected);
    assert_eq!(diagnostics.iter().map(|d| d.code.id).collect::<Vec<_>>(), codes);
    assert_eq!(unreachable(&sample.api, operation, &flat), Vec::<String>::new());
    flat
}

/// Parameters and fields of the body that no leaf gives.
fn unreachable(api: &Api, operation: &Operation, flat: &Flat) -> Vec<String> {
    let mut missing = Vec::new();
    let given = |place: &Place| flat.leaves.iter().any(|l| l.place == *place);
    for p in &operation.parameters {
        let named =
            flat.leaves.iter().any(|l| l.place.to_string().ends_with(&format!(":{}", p.name)));
        let given = named || credential(api, operation, p).is_some() || is_idempotency_key(p);
        if !given && p.only_value(api).is_none() && p.filled(api).is_none() {
            missing.push(p.name.clone());
        }
    }
    let chosen = operation.body.iter().flat_map(|b| &b.contents);
    let chosen = chosen.filter(|c| Some(&c.media_type) == flat.media_type.as_ref());
    for schema in chosen.filter_map(|c| c.schema) {
        if given(&Place::Body(Vec::new())) {
            continue;
        }
        for (key, ids) in Union::of(api, &[schema]).fields() {
            let whole = given(&Place::Body(vec![key.to_owned()]));
            let child = |k: &&str| given(&Place::Body(vec![key.to_owned(), (*k).to_owned()]));
            if !whole && !Union::of(api, &ids).fields().keys().all(child) {
                missing.push(key.to_owned());
            }
        }
    }
    missing
}

#[test]
fn what_can_have_one_value_only_is_no_argument_unless_it_may_be_left_out() {
    let mut s = Sample::default();
    let only =
        Node { value: Value::String("2024".to_owned()), at: At::default(), key: At::default() };
    let id =
        s.schema(Schema { types: types("string"), values: Some(vec![only]), ..Schema::default() });
    let operation = s.operation("GET /pets/{kind}", "List");
    operation.parameters = vec![
        parameter("path:kind", id),
        parameter("query:optional", id),
        Parameter { required: true, ..parameter("header:version", id) },
    ];
    check(&s, &["kind!=path:kind", "optional=query:optional"], &[]);
}

#[test]
fn parameters_and_body_fields_become_flat_arguments() {
    let mut s = Sample::default();
    let string = s.of("string");
    let address = s.object(&[("street!", string), ("zipCode", string)]);
    let pet = s.object(&[("name!", string), ("address", address), ("home!", address)]);
    let operation = s.operation("POST /owners/{id}/pets", "Add");
    operation.parameters = vec![
        parameter("header:X-Trace", string),
        parameter("query:dryRun", string),
        parameter("path:id", string),
    ];
    operation.body = body(&[("application/xml", None), ("application/json", Some(pet))]);
    check(
        &s,
        &[
            "owner_id!=path:id",
            "dry_run=query:dryRun",
            "x_trace=header:X-Trace",
            "name!=body:/name",
            "address_street=body:/address/street",
            "address_zip_code=body:/address/zipCode",
            "home_street!=body:/home/street",
            "home_zip_code=body:/home/zipCode",
        ],
        &["other-media-types"],
    );
}

#[test]
fn objects_that_are_large_or_deep_or_maps_stay_one_argument() {
    let mut s = Sample::default();
    let string = s.of("string");
    let small = s.object(&[("a!", string)]);
    let deep = s.object(&[("inner", small)]);
    let map = s.map(string);
    let fields: Vec<String> = (0..7).map(|n| format!("f{n}")).collect();
    let fields: Vec<(&str, SchemaId)> = fields.iter().map(|f| (f.as_str(), string)).collect();
    let large = s.object(&fields);
    let optional = s.object(&[("a", string)]);
    // A required object without required fields would be lost if its fields were arguments.
    let whole = s.object(&[("deep", deep), ("map", map), ("large", large), ("must!", optional)]);
    s.operation("POST /x", "X").body = body(&[("application/json", Some(whole))]);
    check(&s, &["deep=body:/deep", "map=body:/map", "large=body:/large", "must!=body:/must"], &[]);
}

#[test]
fn bodies_that_are_no_objects_are_one_argument() {
    let mut s = Sample::default();
    let string = s.of("string");
    let list = s.list(string);
    s.operation("POST /x", "X").body = body(&[("application/json", Some(list))]);
    check(&s, &["body!=body"], &[]);

    for media in ["text/plain", "application/octet-stream", "application/json"] {
        let mut s = Sample::default();
        s.operation("POST /x", "X").body = body(&[(media, None)]);
        check(&s, &["body!=body"], &[]);
    }
    let mut s = Sample::default();
    let string = s.of("string");
    let map = s.map(string);
    s.operation("POST /x", "X").body = body(&[("application/json", Some(map))]);
    check(&s, &["body!=body"], &[]);
}

#[test]
fn a_union_of_objects_gives_the_fields_of_all_and_needs_what_all_need() {
    let mut s = Sample::default();
    let string = s.of("string");
    let cat = s.object(&[("kind!", string), ("name!", string), ("claws!", string)]);
    let dog = s.object(&[("kind!", string), ("name!", string), ("barks", string)]);
    let pet =
        s.schema(Schema { types: types("object"), variants: vec![cat, dog], ..Schema::default() });
    s.operation("POST /pets", "X").body = body(&[("application/json", Some(pet))]);
    let flat = check(
        &s,
        &["kind!=body:/kind", "name!=body:/name", "claws=body:/claws", "barks=body:/barks"],
        &[],
    );
    assert_eq!(flat.words, ["One of: claws; kind, name, barks."]);
}

#[test]
fn forms_give_their_fields_and_keep_inner_objects() {
    let mut s = Sample::default();
    let string = s.of("string");
    let inner = s.object(&[("a!", string)]);
    let form = s.object(&[("file!", string), ("meta", inner)]);
    s.operation("POST /x", "X").body = body(&[("multipart/form-data", Some(form))]);
    check(&s, &["file!=body:/file", "meta=body:/meta"], &[]);
}

#[test]
fn credentials_are_no_arguments() {
    let mut s = Sample::default();
    let string = s.of("string");
    let kind = SchemeKind::ApiKey { place: ApiKeyPlace::Header, name: "x-api-key".to_owned() };
    s.api.schemes.insert("key".to_owned(), SecurityScheme { description: None, kind });
    let operation = s.operation("GET /x", "X");
    operation.parameters = vec![parameter("header:X-API-Key!", string)];
    operation.security = vec![Requirement { schemes: [("key".to_owned(), Vec::new())].into() }];
    check(&s, &[], &["credential-parameter"]);
    // Without the scheme nothing would send the key.
    s.api.operations[0].security.clear();
    check(&s, &["x_api_key!=header:X-API-Key"], &[]);
}

#[test]
fn h10_a_key_for_repetitions_is_filled_in_by_the_server() {
    let mut s = Sample::default();
    let string = s.of("string");
    let operation = s.operation("POST /x", "X");
    operation.parameters =
        vec![parameter("header:Idempotency-Key!", string), parameter("header:X-Tenant", string)];
    check(&s, &["x_tenant=header:X-Tenant"], &["idempotency-parameter"]);
}

#[test]
fn headers_that_keep_the_books_are_left_out_filled_in_or_kept() {
    let mut s = Sample::default();
    let string = s.of("string");
    let text = |text: &str| Node {
        value: Value::String(text.to_owned()),
        at: At::default(),
        key: At::default(),
    };
    let dated = s.schema(Schema {
        types: types("string"),
        default: Some(text("2024-01")),
        ..Schema::default()
    });
    let choice = s.schema(Schema {
        types: types("string"),
        values: Some(vec![text("a"), text("b")]),
        ..Schema::default()
    });
    let operation = s.operation("POST /x", "X");
    let given = Parameter { argument: true, ..parameter("header:X-Correlation-Id", string) };
    operation.parameters = vec![
        parameter("header:traceparent", string),
        parameter("header:X-Request-Id!", string),
        parameter("header:Api-Version!", dated),
        parameter("header:Acme-Api-Version!", string),
        parameter("header:Acme-Beta!", choice),
        parameter("header:Content-MD5", string),
        parameter("header:Digest!", string),
        given,
    ];
    check(
        &s,
        &[
            "acme_api_version!=header:Acme-Api-Version",
            "acme_beta!=header:Acme-Beta",
            "digest!=header:Digest",
            "x_correlation_id=header:X-Correlation-Id",
        ],
        &["upkeep-header"; 4],
    );
    // The example of a version will do.
    s.api.operations[0].parameters[3].example = Some(text("7"));
    s.api.operations[0].parameters.truncate(4);
    let mut diagnostics = Diagnostics::default();
    assert!(flatten(&mut diagnostics, &s.api, &s.api.operations[0]).leaves.is_empty());
    let last = diagnostics.iter().last().map(|d| d.message.as_str());
    assert_eq!(
        last,
        Some(
            "header `Acme-Api-Version` of 1 operation chooses a version of the API, which no caller decides; `\"7\"` is sent"
        )
    );
}

#[test]
fn a_version_is_one_of_the_api_where_most_operations_have_it() {
    let mut s = Sample::default();
    let string = s.of("string");
    for path in ["/a", "/b", "/c", "/d"] {
        let operation = s.operation(&format!("GET {path}"), "X");
        operation.parameters =
            vec![parameter("header:Acme-Version", string), parameter("header:If-Version", string)];
    }
    s.api.operations[3].parameters.clear();
    check(&s, &["if_version=header:If-Version"], &["upkeep-header"]);
    s.api.operations[2].parameters.clear();
    check(&s, &["acme_version=header:Acme-Version", "if_version=header:If-Version"], &[]);
}

#[test]
fn read_only_fields_are_not_sent_and_undescribed_ones_are() {
    let mut s = Sample::default();
    let id = s.schema(Schema { read_only: true, types: types("string"), ..Schema::default() });
    let pet = s.object(&[("id!", id)]);
    s.api.schemas[1].required.insert("ghost".to_owned());
    s.operation("POST /pets", "X").body = body(&[("application/json", Some(pet))]);
    check(&s, &["ghost!=body:/ghost"], &["undescribed-required-field"]);
}

#[test]
fn general_path_names_take_the_noun_before_them() {
    for (path, wire, expected) in [
        ("/pets/{id}", "id", "pet_id"),
        ("/v1/categories/{name}", "name", "category_name"),
        ("/pets/{petId}/photos/{id}", "id", "photo_id"),
        ("/pets/{petId}", "petId", "pet_id"),
        ("/v1/{id}", "id", "id"),
        ("/{code}", "code", "code"),
    ] {
        assert_eq!(path_name(path, wire), expected);
    }
}
