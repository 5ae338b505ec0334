//! Tests of what large documents need: short nouns spelled out, vague ones told apart, and nothing
//! crowded out of the tools of a noun.

use super::tests::api;
use crate::config::Config;
use crate::diagnostic::Diagnostics;
use crate::ir::{Api, Content, Response, Schema, SchemaId};

/// The names of the tools with those of their actions.
fn tools(api: &Api) -> Vec<String> {
    let draft = super::draft(&mut Diagnostics::default(), api, &Config::default(), None);
    let actions = |t: &super::draft::DraftTool| {
        t.actions.iter().map(|a| a.name.as_str()).collect::<Vec<_>>().join(" ")
    };
    draft.tools.iter().map(|t| format!("{}: {}", t.name, actions(t))).collect()
}

/// Lines for so many nouns of no importance.
fn others(count: usize) -> String {
    (0..count).fold(String::new(), |all, n| {
        all + &format!("GET /other{n}s/{{id}} -\nPUT /other{n}s/{{id}} - +a{n}\n")
    })
}

#[test]
fn initials_are_spelled_out_by_the_names_of_schemas() {
    let mut api = api(
        "GET /order/po -\nPOST /order/po - +a\nGET /order/po/{id} -\nGET /order/so -\nPOST /order/so - +b\nGET /order/so/{id} -",
    );
    let names = ["PaginatedPurchaseOrderList", "PurchaseOrder", "PurchaseOrder"];
    for (operation, name) in api.operations.iter_mut().zip(names) {
        let id = SchemaId(u32::try_from(api.schemas.len()).unwrap());
        api.schemas.push(Schema { name: Some(name.into()), ..Schema::default() });
        let content = Content {
            media_type: "application/json".into(),
            schema: Some(id),
            encoding: indexmap::IndexMap::default(),
            example: None,
        };
        operation.responses.push(Response {
            status: "200".into(),
            description: None,
            contents: vec![content],
            headers: Vec::new(),
        });
    }
    let tools = tools(&api);
    assert!(tools.contains(&"read_purchase_orders: list get".to_owned()), "{tools:?}");
    // Nothing says what these are.
    assert!(tools.iter().any(|t| t.contains("_so")), "{tools:?}");
}

#[test]
fn a_list_by_post_is_a_list_though_there_is_a_path_below_it() {
    let tools = tools(&api(
        "POST /series/list getSeries +condition\nPOST /series/list/by-letter groupSeries +condition\nGET /series/{id} getSeriesById\nGET /pets/{id}/show -\nGET /pets -",
    ));
    assert!(tools.iter().any(|t| t.starts_with("read_series: list get")), "{tools:?}");
    assert!(tools.contains(&"read_pets: list get".to_owned()), "{tools:?}");
}

#[test]
fn verbs_at_the_end_of_a_path_are_actions() {
    let tools = tools(&api(
        "POST /builds - +a\nGET /builds/{id} -\nPOST /builds/{id}/hold -\nPOST /builds/{id}/allocate -\nPOST /builds/{id}/empty-trash -",
    ));
    assert!(tools.contains(&"manage_builds: create allocate hold".to_owned()), "{tools:?}");
    // What empties takes something away, for which there is a tool of its own here.
    assert!(tools.iter().any(|t| t.ends_with(": empty_trash")), "{tools:?}");
}

#[test]
fn deprecated_operations_stay_out_of_tools_where_there_is_a_catalog() {
    let document = format!(
        "GET /books listOld !deprecated\nPOST /books/list listBooks +q\nGET /books/{{id}} getBook\nPOST /books createBook +a\nPUT /books/{{id}} updateBook +a\n{}",
        others(60)
    );
    let tools = tools(&api(&document));
    assert!(tools.contains(&"read_books: list get".to_owned()), "{tools:?}");
    // In a small document there is no other place for it.
    let small = api("GET /books listOld !deprecated\nGET /books/{id} getBook");
    assert_eq!(self::tools(&small), ["read_books: get list"]);
}

#[test]
fn vague_nouns_are_named_after_their_place() {
    let document = format!(
        "GET /fine_tuning/jobs -\nPOST /fine_tuning/jobs - +model\nGET /fine_tuning/jobs/{{id}} -\nPOST /fine_tuning/jobs/{{id}}/cancel -\nGET /metrics/droplets -\nGET /metrics/apps -\nGET /droplets -\nGET /droplets/{{id}} -\nPOST /droplets - +size\n{}",
        others(20)
    );
    let tools = tools(&api(&document));
    assert!(tools.iter().any(|t| t.starts_with("read_fine_tuning_jobs: list get")), "{tools:?}");
    assert!(tools.iter().any(|t| t.starts_with("read_droplets: list get")), "{tools:?}");
}

#[test]
fn what_lists_makes_and_changes_a_thing_is_not_crowded_out_by_what_is_below_it() {
    // Sections that share an argument are cheaper to join than a list with filters of its own.
    let sections = (0..12)
        .fold(String::new(), |all, n| all + &format!("GET /droplets/{{droplet_id}}/part{n} -\n"));
    let document = format!(
        "GET /droplets - tag name region size page per_page\nGET /droplets/{{droplet_id}} -\nPOST /droplets - +name +image +size +region +keys\nDELETE /droplets/{{droplet_id}} -\n{sections}{}",
        others(40)
    );
    let tools = tools(&api(&document));
    assert!(tools.iter().any(|t| t.starts_with("read_droplets: list get")), "{tools:?}");
    assert!(tools.contains(&"manage_droplets: create delete".to_owned()), "{tools:?}");
}

#[test]
fn what_is_said_beside_an_action_is_not_said_for_it() {
    use crate::planner::describe::summary;
    use crate::planner::verb::Verb;
    let mut api = api(
        "POST /v1/invoices/{invoice}/finalize PostInvoicesInvoiceFinalize\nDELETE /v1/invoices/{invoice} DeleteInvoicesInvoice",
    );
    let said = |api: &Api, at: usize, verb: &Verb| {
        let none = std::collections::BTreeSet::new();
        summary(&mut Diagnostics::default(), &api.operations[at], None, verb, &none)
    };
    let finalize = Verb::Other("finalize".into());
    api.operations[0].description =
        Some("Drafts are finalized automatically. You can finalize one yourself.".into());
    assert_eq!(said(&api, 0, &finalize), "Finalize invoice");
    api.operations[0].description = Some("Finalizes a draft. When you wait, it happens.".into());
    assert_eq!(said(&api, 0, &finalize), "Finalizes a draft");
    assert_eq!(said(&api, 1, &Verb::Delete), "Delete invoice");
    api.operations[1].summary = Some("Gone for good".into());
    assert_eq!(said(&api, 1, &Verb::Delete), "Gone for good");
}

#[test]
fn nouns_that_share_nothing_are_not_thrown_together_where_there_is_enough_for_a_catalog() {
    let document = |sections: usize| {
        let lone = (0..14).fold(String::new(), |all, n| all + &format!("GET /place{n} -\n"));
        let crates = "GET /crates - +q\nGET /crates/{name} -\nPOST /crates - +name +size\n";
        (0..sections)
            .fold(lone + crates, |all, n| all + &format!("GET /crates/{{name}}/part{n} -\n"))
    };
    let nouns_of = |document: &str| -> (usize, bool) {
        let api = api(document);
        let draft = super::draft(&mut Diagnostics::default(), &api, &Config::default(), None);
        let most = draft.tools.iter().map(|t| t.nouns.len()).max().unwrap_or(0);
        (most, draft.entries.is_empty())
    };
    assert_eq!(nouns_of(&document(28)), (1, false));
    // A few operations are all shown.
    let (most, all_direct) = nouns_of(&document(8));
    assert!(most > 1 && all_direct, "{most}");
}

#[test]
fn what_is_also_below_another_noun_counts_once() {
    let crud = |at: &str, noun: &str| {
        format!(
            "GET {at}/{noun}s -\nPOST {at}/{noun}s - +a +b\nGET {at}/{noun}s/{{{noun}_id}} -\nPUT {at}/{noun}s/{{{noun}_id}} - +a +b\nDELETE {at}/{noun}s/{{{noun}_id}} -\n"
        )
    };
    let document = format!(
        "{}{}{}POST /gammas/{{gamma_id}}/cancel -\n{}",
        crud("", "alpha"),
        crud("/betas/{beta_id}", "alpha"),
        crud("", "gamma"),
        others(60)
    );
    let api = api(&document);
    let draft = super::draft(&mut Diagnostics::default(), &api, &Config::default(), None);
    let first = |t: &&super::draft::DraftTool| t.why.iter().any(|w| w.contains("1st most central"));
    let nouns: Vec<&Vec<String>> = draft.tools.iter().filter(first).map(|t| &t.nouns).collect();
    assert!(!nouns.is_empty() && nouns.iter().all(|n| **n == ["gammas"]), "{nouns:?}");
}

#[test]
fn a_reader_beside_the_catalog_reads_the_things_themselves_first() {
    let document = format!(
        "POST /files/list listFiles +path\nPOST /files/about getAbout +remote +q\nPOST /files/size getSize +remote +q\nPOST /files createFile +a\nPUT /files/{{id}} updateFile +a\n{}",
        others(60)
    );
    let tools = tools(&api(&document));
    assert!(tools.iter().any(|t| t.contains("_files: list")), "{tools:?}");
}
