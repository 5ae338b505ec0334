//! Tests of what summaries add to paths, and of documents whose methods say nothing.

use super::sample::Sample;
use crate::config::Config;
use crate::diagnostic::Diagnostics;
use crate::ir::{Api, Body, Content, Response, Schema};
use crate::plan::{Effect, Plan};

/// Operations from lines: `METHOD /path | identifier | summary`; a `!` before the method gives it a
/// body, and a `+` an answer with 201.
fn api(lines: &str) -> Api {
    let mut sample = Sample::default();
    let schema = sample.schema(Schema::default());
    for line in lines.lines() {
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let key = parts[0].trim_start_matches(['!', '+']);
        let operation = sample.operation(key, parts[2]);
        operation.id = (!parts[1].is_empty()).then(|| parts[1].to_owned());
        if parts[0].contains('!') {
            let media_type = "application/json".to_owned();
            let encoding = indexmap::IndexMap::default();
            let content = Content { media_type, schema: Some(schema), encoding, example: None };
            operation.body =
                Some(Body { contents: vec![content], required: true, description: None });
        }
        let status = if parts[0].contains('+') { "201" } else { "200" };
        operation.responses.push(Response {
            status: status.into(),
            description: None,
            contents: Vec::new(),
            headers: Vec::new(),
        });
    }
    sample.api
}

fn plan(lines: &str) -> Plan {
    super::plan(&mut Diagnostics::default(), &api(lines), &Config::default(), None)
}

/// The effect and the action of an operation.
fn action(plan: &Plan, key: &str) -> (Effect, String) {
    for tool in &plan.tools {
        if let Some(action) = tool.actions.iter().find(|a| a.operation == key) {
            let read = tool.annotations.read_only;
            let effect = if read { Effect::Read } else { Effect::Write };
            let name = if tool.actions.len() == 1 { &tool.name } else { &action.name };
            return (effect, name.clone());
        }
    }
    panic!("{key} is in no tool");
}

fn check(lines: &str, expected: &[(&str, Effect, &str)]) {
    let plan = plan(lines);
    let found: Vec<_> = expected.iter().map(|(key, ..)| (*key, action(&plan, key))).collect();
    let expected: Vec<_> =
        expected.iter().map(|(key, effect, name)| (*key, (*effect, (*name).to_owned()))).collect();
    assert_eq!(found, expected);
}

#[test]
fn identifiers_made_of_method_and_path_give_way_to_what_the_summary_says() {
    check(
        "GET /folders/{folder_id} | get_folders_id | Get folder\n\
         GET /folders/{folder_id}/items | get_folders_id_items | List items in folder\n\
         GET /folders/{folder_id}/meta/class-6VMVochwUWo | get_folders_id_meta_class-6VMVochwUWo | Get classification on folder\n\
         POST /folders | post_folders | Create folder\n\
         POST /folders/{folder_id} | post_folders_id | Restore folder\n\
         PUT /folders/{folder_id} | put_folders_id | Update folder\n\
         PUT /folders/{folder_id}/watermark | put_folders_id_watermark | Apply watermark to folder",
        &[
            ("GET /folders/{folder_id}/items", Effect::Read, "list_items"),
            ("GET /folders/{folder_id}/meta/class-6VMVochwUWo", Effect::Read, "get_classification"),
            ("POST /folders", Effect::Write, "create"),
            ("POST /folders/{folder_id}", Effect::Write, "restore"),
            ("PUT /folders/{folder_id}/watermark", Effect::Write, "apply_watermark"),
        ],
    );
    // A phrase of its own stays: `run_step`, and a plural that the path does not have.
    check(
        "GET /threads/{id}/runs/{run}/steps/{step} | getRunStep | Get a step\n\
         GET /threads/{id} | getThread | Get a thread\n\
         GET /experiment | getExperiments | Get experiments\n\
         GET /experiment/{id} | getExperiment | Get an experiment",
        &[
            ("GET /threads/{id}/runs/{run}/steps/{step}", Effect::Read, "get_run_step"),
            ("GET /experiment", Effect::Read, "list"),
        ],
    );
}

#[test]
fn every_action_that_deletes_or_changes_in_bulk_says_so() {
    check(
        "DELETE /cards/bulk | | \n\
         PATCH /cards/batch | | \n\
         GET /cards/{id} | | Get card\n\
         POST /cards | | Create card",
        &[
            ("DELETE /cards/bulk", Effect::Write, "bulk_delete_cards"),
            ("PATCH /cards/batch", Effect::Write, "batch_update"),
        ],
    );
    let plan = plan("DELETE /cards/bulk | | \nDELETE /cards/{id} | | ");
    let summaries: Vec<&str> =
        plan.tools.iter().flat_map(|t| &t.actions).map(|a| a.summary.as_str()).collect();
    assert!(summaries.contains(&"Delete cards in bulk"), "{summaries:?}");
}

#[test]
fn a_list_is_known_by_its_summary_too() {
    check(
        "GET /request | | Get all requests\n\
         GET /request/{id} | | Get one request\n\
         GET /dashboard/ | | Get a list of dashboards\n\
         GET /dashboard/{id} | | Get a dashboard\n\
         GET /contact/{id} | | List a contact\n\
         GET /contact | | List contacts\n\
         GET /category/{id} | | List topics\n\
         GET /category | | List categories\n\
         GET /books/latest | | List latest books\n\
         GET /books/{id} | | Get a book",
        &[
            ("GET /request", Effect::Read, "list"),
            ("GET /dashboard/", Effect::Read, "list"),
            ("GET /contact/{id}", Effect::Read, "get"),
            ("GET /category/{id}", Effect::Read, "list_topics"),
            ("GET /category", Effect::Read, "list"),
            ("GET /books/latest", Effect::Read, "list_latest"),
        ],
    );
}

#[test]
fn actions_of_a_reader_begin_with_a_reading_word() {
    check(
        "GET /users:stats | | Statistics of users\n\
         GET /users/{id} | | Get a user\n\
         GET /payments/{id}/cancel_post_capture | getCancelState | Get the state\n\
         GET /payments/{id} | | Get a payment\n\
         GET /crates/{name}/reverse_dependencies | list_reverse_dependencies | Dependents\n\
         GET /crates/{name} | find_crate | Get a crate\n\
         PATCH /books/{id}/read-progress | | Mark progress of a book\n\
         DELETE /books/{id}/read-progress | | Mark a book as unread\n\
         POST /books | | Create a book",
        &[
            ("GET /users:stats", Effect::Read, "get_stats"),
            ("GET /crates/{name}/reverse_dependencies", Effect::Read, "list_reverse_dependencies"),
            ("PATCH /books/{id}/read-progress", Effect::Write, "mark_read_progress"),
            ("DELETE /books/{id}/read-progress", Effect::Write, "delete_book_read_progress"),
        ],
    );
}

#[test]
fn a_document_of_posts_calls_procedures() {
    check(
        "POST /config/dump | | Dump configuration\n\
         POST /config/paths | | Show config paths\n\
         POST /config/create | | Create a remote\n\
         POST /config/poll-interval | | Get or set the interval\n\
         POST /jobs/status | | Get the status of a job\n\
         POST /jobs/stop | | Stop a job\n\
         POST /jobs/list | | List jobs",
        &[
            ("POST /config/dump", Effect::Write, "dump"),
            ("POST /config/paths", Effect::Read, "get_config_paths"),
            ("POST /config/create", Effect::Write, "create"),
            ("POST /config/poll-interval", Effect::Write, "poll_interval"),
            ("POST /jobs/status", Effect::Read, "get_status"),
            ("POST /jobs/list", Effect::Read, "list"),
        ],
    );
}

#[test]
fn a_post_reads_where_its_words_or_the_get_beside_it_say_so() {
    check(
        "POST /users:batchGet | BatchGetUsers | Several users\n\
         GET /users/{id} | GetUser | A user\n\
         !GET /_resolve/{name} | indices-resolve | Resolve indices\n\
         !POST /_resolve/{name} | indices-resolve-1 | Resolve indices\n\
         GET /verify | | Verifies a user\n\
         POST /verify | | Verifies a user\n\
         !POST /sessions | | Get a session\n\
         !POST /carts | | Get or create a cart\n\
         +POST /quotes | | Get a quote\n\
         !POST /cards/collection | | Get a collection of cards\n\
         GET /cards/{id} | | Get a card",
        &[
            ("POST /users:batchGet", Effect::Read, "batch_get"),
            ("POST /sessions", Effect::Write, "get_sessions"),
            ("POST /carts", Effect::Write, "create_cart"),
            ("POST /cards/collection", Effect::Read, "get_collection"),
        ],
    );
    let both = plan(
        "!GET /_resolve/{name} | indices-resolve | Resolve indices\n\
         !POST /_resolve/{name} | indices-resolve-1 | Resolve indices\n\
         GET /verify | | Verifies a user\nPOST /verify | | Verifies a user",
    );
    assert_eq!(action(&both, "POST /_resolve/{name}").0, Effect::Read);
    assert_eq!(action(&both, "POST /verify").0, Effect::Write);
}

#[test]
fn the_worse_of_two_deeds_of_a_summary_decides() {
    let plan = plan(
        "POST /auth/apikey | | Generate or rotate the key\nPUT /invitations/{id} | | Accept or decline an invitation",
    );
    let of = |key: &str| {
        let has = |t: &&crate::plan::Tool| t.actions.iter().any(|a| a.operation == key);
        plan.tools.iter().find(has).unwrap()
    };
    assert!(of("POST /auth/apikey").annotations.destructive);
    assert_eq!(of("PUT /invitations/{id}").name, "update_invitation");
}

#[test]
fn only_verbs_are_what_a_user_wants_to_do() {
    let plan = plan(
        "POST /requests/{id}/feedback | feedback | Give feedback\nPOST /requests | | Create a request",
    );
    assert!(plan.tools[0].description.contains("wants to create requests"), "{plan:?}");
}

#[test]
fn a_path_that_is_put_or_deleted_is_a_thing_whatever_verb_it_begins_with() {
    check(
        "GET /indexes/{id}/settings/stop-words | getstopWords | Get stopWords\n\
         PUT /indexes/{id}/settings/stop-words | putstopWords | Update stopWords\n\
         DELETE /indexes/{id}/settings/stop-words | deletestopWords | Reset stopWords\n\
         GET /indexes/{id} | get_index | Get index\n\
         POST /indexes | create_index | Create index\n\
         GET /indexes/{id}/stop | stop_index | Stop index",
        &[
            ("GET /indexes/{id}/settings/stop-words", Effect::Read, "list_stop_words"),
            ("PUT /indexes/{id}/settings/stop-words", Effect::Write, "replace_stop_words"),
            ("GET /indexes/{id}/stop", Effect::Write, "stop"),
        ],
    );
}

#[test]
fn what_lists_the_noun_of_others_under_a_word_of_its_own_is_one_of_theirs() {
    let lines = "POST /api/show | show | Show model details\n\
         !POST /api/create | create | Create a model\n\
         GET /api/tags | list | List models\n\
         GET /api/ps | ps | List running models\n\
         !POST /api/embed | embed | Generate embeddings\n\
         GET /api/version | version | Get version";
    check(
        lines,
        &[
            ("GET /api/tags", Effect::Read, "list"),
            ("GET /api/ps", Effect::Read, "list_running_models"),
            ("POST /api/show", Effect::Read, "get"),
        ],
    );
    let plan = plan(lines);
    let reader = plan.tools.iter().find(|t| t.name == "read_models").expect("one reader");
    assert!(reader.why.iter().any(|w| w.contains("`GET /api/ps` is about `models`")), "{reader:?}");
    // A summary that names the path's own noun leaves it where it is.
    check(
        "GET /models | list_models | List models\n\
         GET /models/{id} | get_model | Get a model\n\
         GET /tags | list_tags | List tags of models",
        &[("GET /tags", Effect::Read, "list_tags")],
    );
}

#[test]
fn a_path_that_is_a_verb_is_done_with_the_noun_of_its_summary() {
    check(
        "!POST /tokenize | tokenize | Tokenize inputs\n\
         !POST /chat_tokenize | chat_tokenize | Template and tokenize a request\n\
         !POST /embed | embed | Generate embeddings\n\
         GET /health | health | Health check",
        &[
            ("POST /tokenize", Effect::Read, "tokenize_input"),
            ("POST /embed", Effect::Write, "generate_embedding"),
        ],
    );
}

#[test]
fn tools_say_what_else_there_is_for_their_noun_and_never_generate_generate() {
    let plan = plan(
        "!POST /generate | generate | Generate tokens\n\
         !POST /v1/completions | completions | Generate tokens\n\
         !POST /tasks/cancel | cancel_tasks | Cancel tasks\n\
         DELETE /tasks | delete_tasks | Delete tasks\n\
         GET /tasks | get_tasks | Get all tasks\n\
         GET /tasks/{id} | get_task | Get a task",
    );
    let tool = |name: &str| plan.tools.iter().find(|t| t.name == name).expect("the tool");
    let generate = &tool("generate").description;
    assert!(generate.contains("wants to generate."), "{generate}");
    // What is not about its noun in its own words tells what it calls.
    assert!(!generate.contains("Calls"), "{generate}");
    let calls = |t: &crate::plan::Tool| t.description.contains("Calls `POST /v1/completions`.");
    assert!(plan.tools.iter().any(calls), "{plan:?}");
    // To cancel is not to remove.
    let manage = &tool("manage_tasks").description;
    assert!(manage.contains("wants to cancel or delete tasks"), "{manage}");
}

#[test]
fn an_action_says_its_verb_once_and_never_a_word_of_http() {
    check(
        "GET /payments | listPayments | List payments
         GET /payments/{id} | getPayment | Get a payment
         !POST /payments/{id}/captures | | Capture an authorised payment
         !POST /payments/{id}/fees | postPaymentFee | Estimate fee
         !POST /payments/{id}/labels | postPaymentLabel | Create a label
         !POST /payments/{id}/update-note | payments_update_note_create | Create payments update note
         !POST /payments/batch | start_payments_batch | Start a batch of payments",
        &[
            ("POST /payments/{id}/captures", Effect::Write, "capture"),
            ("POST /payments/{id}/fees", Effect::Read, "estimate_fees"),
            ("POST /payments/{id}/labels", Effect::Write, "create_label"),
            ("POST /payments/{id}/update-note", Effect::Write, "update_note"),
            ("POST /payments/batch", Effect::Write, "start_batch"),
        ],
    );
}

#[test]
fn bounds_of_a_range_are_no_nouns() {
    check(
        "GET /exports | listExports | List exports
         GET /exports/{id} | getExport | Get an export
         DELETE /exports/{id} | deleteExport | Delete an export
         !POST /exports/{camera}/start/{start_time}/end/{end_time} | | Start an export",
        &[("POST /exports/{camera}/start/{start_time}/end/{end_time}", Effect::Write, "start")],
    );
}

#[test]
fn what_two_methods_of_a_path_say_alike_is_still_said() {
    let plan = plan(
        "GET /verify | | Authentication by a one-time token
         !POST /verify | | Authentication by a one-time token",
    );
    let names: Vec<&str> = plan.tools.iter().map(|t| t.name.as_str()).collect();
    assert!(names.contains(&"verify") && names.contains(&"get_verify"), "{names:?}");
    for tool in &plan.tools {
        assert!(tool.description.contains("one-time token"), "{}", tool.description);
    }
}

#[test]
fn what_belongs_to_a_thing_is_not_the_thing() {
    let plan = plan(
        "GET /cards | listCards | List cards
         GET /cards/{id} | getCard | Get a card
         GET /cards/{id}/labels | listCardLabels | List labels of a card
         !POST /cards/{id}/labels | createCardLabel | Add a label
         DELETE /cards/{id}/labels/{label} | deleteCardLabel | Delete a label",
    );
    let told = |name: &str| {
        let tool = plan.tools.iter().find(|t| t.name.starts_with(name)).expect("the tool");
        tool.description.clone()
    };
    let reads = told("read_cards");
    assert!(reads.contains("to list or look up cards, or read what belongs to them."), "{reads}");
    let writes = told("manage_card");
    assert!(writes.contains("to create or delete card labels."), "{writes}");
}

#[test]
fn a_word_for_reading_in_a_path_does_not_outweigh_a_summary_that_marks() {
    check(
        "GET /books | listBooks | List books
         GET /books/{id} | getBook | Get a book
         !POST /books/{id}/read-progress | markRead | Mark a book as read
         !POST /filters/{id}/_update | | Update a filter
         GET /pulls/{id}/merge | | Check if a pull request has been merged
         !POST /stats/stats-delete | | Delete stats",
        &[
            ("POST /books/{id}/read-progress", Effect::Write, "mark_read"),
            ("POST /filters/{id}/_update", Effect::Write, "update_filter"),
            ("GET /pulls/{id}/merge", Effect::Read, "get_pull_merge"),
            ("POST /stats/stats-delete", Effect::Write, "delete_stats_delete"),
        ],
    );
}

#[test]
fn verbs_of_other_languages_are_verbs() {
    check(
        "GET /clientes | | Listar clientes
         GET /clientes/{id} | | Consultar un cliente
         GET /clientes/{id}/cancelar | | Cancelar un cliente
         !POST /clientes/buscar | | Buscar clientes
         DELETE /clientes/{id} | | Eliminar un cliente
         !POST /auftraege/{id}/stornieren | | Stornieren eines Auftrags",
        &[
            ("GET /clientes/{id}/cancelar", Effect::Write, "cancelar"),
            ("POST /clientes/buscar", Effect::Read, "search"),
            ("DELETE /clientes/{id}", Effect::Write, "delete"),
        ],
    );
}

#[test]
fn a_noun_before_the_verb_of_an_identifier_is_no_verb() {
    check(
        "GET /repos/{repo}/issues | issueList | List issues
         GET /repos/{repo}/issues/{index} | issueGet | Get an issue
         DELETE /repos/{repo}/issues/{index}/labels/{id} | issueDeleteLabel | Delete a label
         !POST /repos/{repo}/issues/{index}/labels | issueAddLabel | Add a label",
        &[
            ("DELETE /repos/{repo}/issues/{index}/labels/{id}", Effect::Write, "delete_label"),
            ("POST /repos/{repo}/issues/{index}/labels", Effect::Write, "add_label"),
        ],
    );
}

#[test]
fn what_a_service_is_there_for_has_a_tool_among_many_families() {
    let mut lines = String::from("!POST /v2/send | | Send a message\n");
    for noun in ["ant", "bee", "cat", "dog", "elk", "fox", "gnu", "hen", "ibis", "jay", "kid"] {
        lines.push_str(&format!(
            "GET /v1/{noun}s | | List {noun}s\nGET /v1/{noun}s/{{id}} | | Get a {noun}\n\
             !POST /v1/{noun}s | | Create a {noun}\nDELETE /v1/{noun}s/{{id}} | | Delete a {noun}\n"
        ));
    }
    let plan = plan(lines.trim_end());
    assert!(plan.catalog.is_some(), "there is too much for tools alone");
    assert_eq!(action(&plan, "POST /v2/send").0, Effect::Write);
}
