use axum::body::to_bytes;
use tower::ServiceExt as _;

use super::*;

/// Sends the requests in turn to one fresh store and compares status and body of the last answer.
fn check(requests: &[(&str, &str, Value)], status: u16, expected: &Value) {
    let (found, body) = send(None, requests);
    assert_eq!((found, &body), (status, expected));
}

fn send(key: Option<&str>, requests: &[(&str, &str, Value)]) -> (u16, Value) {
    let store = Store::open(None).expect("the seed is read");
    let router = router(store, key.map(ToOwned::to_owned));
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    runtime.block_on(async {
        let mut last = (0, Value::Null);
        for (method, path, body) in requests {
            let body = if body.is_null() { Body::empty() } else { Body::from(body.to_string()) };
            let request = Request::builder().method(*method).uri(*path).body(body).expect("right");
            let response = router.clone().oneshot(request).await.expect("never fails");
            let status = response.status().as_u16();
            let bytes = to_bytes(response.into_body(), 1 << 20).await.expect("a body");
            last = (status, serde_json::from_slice(&bytes).unwrap_or(Value::Null));
        }
        last
    })
}

fn ids(query: &str) -> Vec<String> {
    let (status, body) = send(None, &[("GET", &format!("/repairs{query}"), Value::Null)]);
    assert_eq!(status, 200, "{body}");
    let repairs = body["repairs"].as_array().expect("a list");
    repairs.iter().map(|r| r["id"].as_str().expect("an id").to_owned()).collect()
}

#[test]
fn health_says_how_many_repairs_there_are() {
    check(&[("GET", "/health", Value::Null)], 200, &json!({"status": "up", "repairs": 6}));
}

#[test]
fn a_list_starts_with_the_newest() {
    assert_eq!(ids(""), ["r6", "r5", "r4", "r3", "r2", "r1"]);
}

#[test]
fn each_filter_narrows_the_list() {
    assert_eq!(ids("?q=amira+TOASTER"), ["r1"]);
    assert_eq!(ids("?status=finished&status=in_progress"), ["r3", "r2", "r1"]);
    assert_eq!(ids("?category=electrical"), ["r3", "r1"]);
    assert_eq!(ids("?broughtSince=2026-03-14"), ["r6", "r5"]);
    assert_eq!(ids("?limit=2&offset=1"), ["r5", "r4"]);
}

#[test]
fn a_page_names_the_next_one_and_the_last_page_does_not() {
    let (_, first) = send(None, &[("GET", "/repairs?limit=4", Value::Null)]);
    assert_eq!((&first["total"], &first["nextOffset"]), (&json!(6), &json!(4)));
    let (_, last) = send(None, &[("GET", "/repairs?limit=4&offset=4", Value::Null)]);
    assert_eq!((&last["total"], last.get("nextOffset")), (&json!(6), None));
}

#[test]
fn all_wrong_parameters_are_named_at_once() {
    let errors = json!([
        {"pointer": "limit", "detail": "has to be a whole number from 1 to 100"},
        {"pointer": "status", "detail": "has to be one of waiting, in_progress, finished"},
        {"pointer": "colour", "detail": "is no parameter of this operation"},
    ]);
    let (status, body) =
        send(None, &[("GET", "/repairs?limit=0&status=lost&colour=red", Value::Null)]);
    assert_eq!((status, &body["errors"]), (422, &errors));
}

#[test]
fn a_new_repair_waits_and_can_be_read() {
    let new = json!({"object": "Lamp", "category": "electrical", "fault": "Flickers.",
        "owner": {"name": "Ida", "phone": null}, "weightKg": 0.5});
    let (status, body) =
        send(None, &[("POST", "/repairs", new), ("GET", "/repairs/r7", Value::Null)]);
    assert_eq!(
        (status, &body["status"], &body["owner"]),
        (200, &json!("waiting"), &json!({"name": "Ida"}))
    );
}

#[test]
fn all_wrong_members_are_named_at_once() {
    let wrong = json!({"object": "", "category": "boat", "owner": {"phone": 3}, "weightKg": 0});
    let expected = json!({
        "title": "Invalid request", "status": 422, "detail": "`errors` says what is wrong.",
        "errors": [
            {"pointer": "/object", "detail": "is empty"},
            {"pointer": "/fault", "detail": "is required"},
            {"pointer": "/category", "detail": format!("has to be one of {CATEGORIES}")},
            {"pointer": "/weightKg", "detail": "has to be a number above 0 and at most 500"},
            {"pointer": "/owner/name", "detail": "is required"},
            {"pointer": "/owner/phone", "detail": "has to be a string"},
        ]
    });
    check(&[("POST", "/repairs", wrong)], 422, &expected);
}

#[test]
fn a_change_leaves_other_members_and_null_hands_the_repair_back() {
    let (status, body) =
        send(None, &[("PATCH", "/repairs/r3", json!({"status": "waiting", "volunteer": null}))]);
    assert_eq!(status, 200);
    assert_eq!((&body["status"], body.get("volunteer")), (&json!("waiting"), None));
    assert_eq!(body["fault"], "Hums, and no station comes in.");
}

#[test]
fn a_change_of_nothing_or_to_finished_is_refused() {
    for body in [json!({}), json!({"status": "finished"}), json!([])] {
        assert_eq!(send(None, &[("PATCH", "/repairs/r3", body)]).0, 422);
    }
}

#[test]
fn finishing_adds_the_remark_as_a_note_and_cannot_be_done_twice() {
    let finish = json!({"outcome": "fixed", "minutes": 50, "remark": "New capacitors."});
    let requests =
        [("POST", "/repairs/r3/finish", finish), ("GET", "/repairs/r3/notes", Value::Null)];
    let (_, notes) = send(None, &requests);
    assert_eq!((&notes[1]["id"], &notes[1]["text"]), (&json!(2), &json!("New capacitors.")));
    assert_eq!(notes[1]["author"], "Jonas");
    let twice = json!({"title": "Already finished", "status": 409,
        "detail": "Repair r1 is finished and stays as it is."});
    check(&[("POST", "/repairs/r1/finish", json!({"outcome": "fixed"}))], 409, &twice);
}

#[test]
fn a_note_gets_the_next_number() {
    let note = json!({"text": "Glue has dried.", "author": "Selin"});
    let (status, body) = send(None, &[("POST", "/repairs/r1/notes", note)]);
    assert_eq!((status, &body["id"]), (201, &json!(3)));
}

#[test]
fn a_deleted_repair_is_gone() {
    let missing = json!({"title": "Not found", "status": 404, "detail": "There is no repair r4."});
    let delete = ("DELETE", "/repairs/r4", Value::Null);
    assert_eq!(send(None, std::slice::from_ref(&delete)).0, 204);
    check(&[delete.clone(), ("GET", "/repairs/r4", Value::Null)], 404, &missing);
    check(&[delete.clone(), delete], 404, &missing);
}

#[test]
fn unknown_paths_methods_and_broken_json_are_problems() {
    assert_eq!(send(None, &[("GET", "/nowhere", Value::Null)]).0, 404);
    assert_eq!(send(None, &[("PUT", "/repairs", Value::Null)]).0, 405);
    assert_eq!(send(None, &[("POST", "/repairs", Value::Null)]).0, 400);
}

#[test]
fn a_key_is_asked_for_only_where_one_was_set() {
    let (status, body) = send(Some("secret"), &[("GET", "/repairs", Value::Null)]);
    assert_eq!((status, &body["title"]), (401, &json!("Key needed")));
    assert_eq!(send(Some("secret"), &[("GET", "/health", Value::Null)]).0, 200);
}
