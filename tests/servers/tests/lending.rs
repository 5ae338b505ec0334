//! Two servers of one document, one with hooks that were written by hand.

use std::path::Path;

use mcp_gen_servers::client::{Client, Era};
use mcp_gen_servers::locate::locate_binary;
use mcp_gen_servers::recorder::{Answer, Recorder};
use serde_json::json;

async fn start(program: &Path, variable: &str, recorder: &Recorder) -> Client {
    Client::start(program, &[(variable, &recorder.origin())], Era::Modern).await
}

async fn names(client: &Client) -> Vec<String> {
    client.tools().await.iter().map(|tool| tool.name.to_string()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_hooks_of_the_desk_do_all_that_hooks_can() {
    let recorder = Recorder::start().await;
    let client = start(&locate_binary("lending-desk"), "LENDING_DESK_BASE_URL", &recorder).await;
    assert_eq!(names(&client).await, ["list_loans", "manage_loans", "opening_hours"]);

    let hours = client.call("opening_hours", &json!({"day": "friday"})).await;
    assert_eq!((hours.text.as_str(), hours.is_error), ("From 16 to 19.", false));
    let refused = client.call("opening_hours", &json!({"day": "monday"})).await;
    assert!(refused.is_error && refused.text.contains("day"), "{}", refused.text);
    assert!(recorder.take().is_empty());

    recorder.answer(Answer::empty(401));
    recorder.answer(Answer::json(200, r#"[{"item":1,"member":"Ann","staff_note":"late"}]"#));
    let loans = client.call("list_loans", &json!({})).await;
    assert!(loans.text.contains("Ann") && !loans.text.contains("late"), "{}", loans.text);
    let requests = recorder.take();
    let sent: Vec<_> = requests.iter().filter_map(|r| r.header("authorization")).collect();
    assert_eq!(sent, ["Bearer of-the-store-0", "Bearer of-the-store-1"]);
    assert_eq!(requests[1].header("x-desk").as_deref(), Some("window 2"));

    let mut lend = json!({"action": "create", "item": 1, "member": "Ann", "days": 20});
    let refused = client.call("manage_loans", &lend).await;
    assert!(refused.is_error && refused.text.contains("more than 7 days"), "{}", refused.text);
    assert!(recorder.take().is_empty());
    lend.as_object_mut().expect("it is one").remove("days");
    assert!(!client.call("manage_loans", &lend).await.is_error);
    assert_eq!(recorder.one().text(), r#"{"item":1,"member":"Ann","days":7}"#);
    client.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_server_of_the_shelf_has_the_other_operations_and_no_hooks() {
    let recorder = Recorder::start().await;
    let shelf = locate_binary("lending-shelf");
    let variables = [("LENDING_SHELF_BASE_URL", &*recorder.origin()), ("LENDING_SHELF_DESK", "t")];
    let client = Client::start(&shelf, &variables, Era::Modern).await;
    assert_eq!(names(&client).await, ["read_items"]);
    assert!(!client.call("read_items", &json!({"action": "get", "item": 3})).await.is_error);
    assert_eq!(recorder.one().line(), "GET /items/3");
    client.stop().await;
}
