//! What `mcp-gen.yaml` asks for, wish by wish.

use super::tests::{MUSEUM, PETSTORE, api, families};
use crate::config::Config;
use crate::diagnostic::Diagnostics;
use crate::ir::Api;
use crate::plan::{Plan, Posture};
use crate::source::{Source, Sources};

/// The plan for an API under a configuration, and the findings that have a place in it.
pub(super) fn wished(api: &Api, config: &str, previous: Option<&Plan>) -> (Plan, Vec<String>) {
    let mut sources = Sources::default();
    let source = Source { name: "c".into(), text: config.into() };
    let config = Config::read(&mut sources, source).unwrap_or_else(|e| panic!("{e}"));
    let mut diagnostics = Diagnostics::default();
    let plan = super::plan(&mut diagnostics, api, &config, previous);
    let findings = diagnostics.sorted().into_iter().filter(|d| d.pointer.as_str().len() > 1);
    let findings = findings
        .filter_map(|d| {
            let (_, place) = sources.locate(d.at?)?;
            assert!(d.help.is_some(), "{d:?}");
            Some(format!("{}:{} {}", place.line, d.code.id, d.message))
        })
        .collect();
    (plan, findings)
}

fn text(plan: &Plan) -> Vec<String> {
    let line = |t: &crate::plan::Tool| {
        let actions: Vec<&str> = t.actions.iter().map(|a| a.name.as_str()).collect();
        let posture = if t.posture == Posture::Secondary { "?" } else { "" };
        format!("{posture}{}({})", t.name, actions.join(" "))
    };
    plan.tools.iter().map(line).collect()
}

/// Under `config`, `lines` of the plan are among its tools and the findings are `findings`; the plan
/// is its own successor, and the plan that was there without the configuration obeys it too.
fn check(document: &str, config: &str, lines: &[&str], findings: &[&str]) -> Plan {
    let api = api(document);
    let (plan, said) = wished(&api, config, None);
    let tools = text(&plan);
    for line in lines {
        assert!(tools.iter().any(|t| t == line), "{line} is not in {tools:#?}\n{said:#?}");
    }
    assert_eq!(said, findings, "{tools:#?}");
    let (again, said) = wished(&api, config, Some(&plan));
    assert_eq!(again.to_yaml(), plan.to_yaml(), "the plan is not its own successor");
    assert_eq!(said, findings, "as its own successor");
    let (without, _) = wished(&api, "", None);
    let (followed, said) = wished(&api, config, Some(&without));
    // Actions keep the names that they had.
    let shape = |line: &str| {
        let (name, actions) = line.split_once('(').unwrap();
        (name.to_owned(), actions.split(' ').count())
    };
    let tools: Vec<_> = text(&followed).iter().map(|t| shape(t)).collect();
    for line in lines {
        assert!(tools.contains(&shape(line)), "{line} is not in {tools:#?} after a plan before");
    }
    assert_eq!(said, findings, "after a plan before");
    plan
}

fn tool<'p>(plan: &'p Plan, name: &str) -> &'p crate::plan::Tool {
    plan.tools.iter().find(|t| t.name == name).unwrap_or_else(|| panic!("{:?}", text(plan)))
}

#[test]
fn tools_are_merged_and_split_by_listing_their_operations() {
    let plan = check(
        PETSTORE,
        "tools:
  manage_store: {operations: ['POST /store/order', 'DELETE /store/order/{orderId}', id:createUser]}
  find_pets: {operations: ['GET /pet/findBy*'], title: Find pets, posture: primary}
",
        &[
            "manage_store(create_user place_order delete_order)",
            "find_pets(find_by_status find_by_tags)",
        ],
        &[],
    );
    assert_eq!(tool(&plan, "find_pets").title, "Find pets");
    let why = tool(&plan, "find_pets").why.join(" ");
    assert!(why.contains("`mcp-gen.yaml` puts its operations together as `find_pets`"), "{why}");
    assert!(why.ends_with("`mcp-gen.yaml` sets its `operations`, its `title` and its `posture`."));
}

#[test]
fn a_list_of_operations_is_the_whole_tool() {
    let api = api(MUSEUM);
    let list = |more: &str| {
        format!("tools: {{see_events: {{operations: ['GET /special-events'{more}]}}}}\n")
    };
    let (before, _) = wished(&api, &list(", 'GET /special-events/*'"), None);
    assert!(text(&before).contains(&"see_events(list get)".to_owned()));
    let (after, said) = wished(&api, &list(""), Some(&before));
    assert!(text(&after).contains(&"see_events(list)".to_owned()), "{:?}", text(&after));
    assert_eq!(after.covered(), before.covered());
    assert!(said.is_empty(), "{said:?}");
}

#[test]
fn tools_actions_and_arguments_are_renamed() {
    let plan = check(
        MUSEUM,
        "tools:
  read_special_events:
    name: see_events
    actions: {get: look_up}
    arguments: {page: page_number, eventId: event}
operations:
  'PATCH /special-events/{eventId}': {name: change, arguments: {event_id: id}}
  id:buyMuseumTickets: {name: buy_tickets, title: Buy}
",
        &[
            "see_events(list look_up)",
            "manage_special_events(create change)",
            "buy_tickets(buy_tickets)",
        ],
        &[],
    );
    let events = tool(&plan, "see_events");
    let names: Vec<&str> = events.arguments.iter().map(|a| a.name.as_str()).collect();
    assert_eq!(names, ["start_date", "end_date", "page_number", "limit", "event"]);
    assert_eq!(events.arguments[2].why.as_deref(), Some("named so by mcp-gen.yaml"));
    assert_eq!(events.title, "See events");
    let change = tool(&plan, "manage_special_events");
    assert!(change.arguments.iter().any(|a| a.name == "id" && a.to.contains_key("change")));
    assert!(change.actions[1].required.contains(&"id".to_owned()));
    assert_eq!(tool(&plan, "buy_tickets").title, "Buy");
}

#[test]
fn an_operation_moves_to_the_tool_that_is_named() {
    check(
        MUSEUM,
        "operations: {'GET /museum-hours': {group: read_special_events}}\n",
        &["read_special_events(list_special_events get_special_event list_museum_hours)"],
        &[],
    );
    check(
        MUSEUM,
        "tools: {read_special_events: {name: look}}
operations: {'GET /museum-hours': {group: look}}\n",
        &["look(list_special_events get_special_event list_museum_hours)"],
        &[],
    );
}

#[test]
fn what_reads_and_what_writes_stay_apart_with_a_finding_at_the_line() {
    check(
        MUSEUM,
        "tools:
  events:
    operations: ['* /special-events*']
",
        &["read_events(list get)", "manage_events(create update delete)"],
        &["3:group-mixes-effects `events` would both read and write, so it becomes two tools; \
           `POST /special-events` writes and goes into `manage_events`"],
    );
}

#[test]
fn postures_follow_patterns() {
    let plan = check(
        PETSTORE,
        "operations:
  'tag:store': {posture: catalog}
  'GET /store/inventory': {posture: secondary}
",
        &["?get_inventory(get)"],
        &[],
    );
    let entries = plan.catalog.unwrap().entries;
    let order = entries.iter().find(|e| e.operation == "GET /store/order/{orderId}").unwrap();
    assert_eq!(order.tool, None);
    assert_eq!(order.why.as_deref(), Some("`mcp-gen.yaml` puts it into the catalog."));
}

#[test]
fn a_posture_for_many_operations_keeps_their_tools_together() {
    check(
        PETSTORE,
        "operations: {'tag:user': {posture: secondary}, 'GET /store/*': {posture: primary}}\n",
        &["?get_user(get)"],
        &[],
    );
    let api = api(PETSTORE);
    let (before, _) = wished(&api, "", None);
    let all = "operations: {'GET *': {posture: primary}}\n";
    let (after, _) = wished(&api, all, Some(&before));
    assert!(text(&after).len() <= before.tools.len() + 1, "{:?}", text(&after));
}

#[test]
fn of_a_tool_and_the_catalog_the_later_line_says_which() {
    check(
        PETSTORE,
        "operations:
  'tag:store': {posture: catalog}
  'GET /store/inventory': {group: read_pets}
",
        &["read_pets(find_pets_by_status find_pets_by_tags get_pet_by_id get_inventory)"],
        &[],
    );
    let plan = check(
        PETSTORE,
        "operations:
  'GET /store/inventory': {group: read_pets}
  'tag:store': {posture: catalog}
",
        &["read_pets(find_by_status find_by_tags get)"],
        &["2:wish-without-effect later lines say otherwise than `group` of `GET /store/inventory`"],
    );
    assert!(plan.catalog.is_some());
}

#[test]
fn words_are_those_of_the_configuration() {
    let plan = check(
        MUSEUM,
        "tools:
  list_museum_hours: {when-not: 'the user wants to buy a ticket: use `buy_museum_tickets`'}
  read_special_events: {description: 'What is on.'}
operations:
  id:getSpecialEvent: {description: One event with its prices.}
  id:getTicketCode: {description: The code at the door., posture: secondary}
",
        &["?get_ticket_code(get_code)"],
        &[],
    );
    let hours = &tool(&plan, "list_museum_hours").description;
    assert!(hours.ends_with(
        "Do not use this when the user wants to buy a ticket: use `buy_museum_tickets`."
    ));
    let events = tool(&plan, "read_special_events");
    assert_eq!(events.description, "What is on.");
    assert_eq!(events.actions[1].summary, "One event with its prices");
    assert!(tool(&plan, "get_ticket_code").description.starts_with("The code at the door."));
}

#[test]
fn hints_are_overridden_where_that_is_true_of_the_method() {
    let plan = check(
        MUSEUM,
        "tools:
  buy_museum_tickets:
    annotations: {idempotent: true, destructive: true, open-world: false}
  list_museum_hours:
    annotations: {read-only: false}
  delete_it:
    operations: [id:deleteSpecialEvent]
    annotations:
      read-only: true
      destructive: false
  read_special_events:
    annotations:
      destructive: true
operations:
  id:updateSpecialEvent: {effect: read}
  id:createSpecialEvent: {effect: read}
",
        &["read_special_events(list get create)"],
        &[
            "9:hint-contradicts-method `delete_it` is not read-only: it calls DELETE \
             /special-events/{eventId}",
            "10:hint-contradicts-method `delete_it` destroys: it calls DELETE \
             /special-events/{eventId}",
            "13:wish-without-effect `destructive` says nothing of `read_special_events`, which is \
             read-only",
            "15:hint-contradicts-method PATCH /special-events/{eventId} cannot count as reading",
        ],
    );
    let buy = tool(&plan, "buy_museum_tickets").annotations;
    assert!(buy.idempotent && buy.destructive && !buy.open_world);
    assert!(!tool(&plan, "list_museum_hours").annotations.read_only);
    let delete = tool(&plan, "delete_it").annotations;
    assert!(delete.destructive && !delete.read_only);
}

#[test]
fn an_operation_is_skipped_and_the_configuration_counts_before_the_document() {
    let lines = MUSEUM.replace("listMuseumHours", "listMuseumHours !skip @times");
    let api = api(&lines);
    let (plan, _) = wished(&api, "operations: {'POST *': {skip: true}}\n", None);
    let reasons: Vec<&str> = plan.excluded.iter().map(|e| e.reason.as_str()).collect();
    assert_eq!(
        reasons,
        [
            "`x-mcp` says to skip it",
            "`mcp-gen.yaml` says to skip it by `POST *`",
            "`mcp-gen.yaml` says to skip it by `POST *`"
        ]
    );
    check(
        &lines,
        "operations: {id:listMuseumHours: {skip: false, group: hours}}\n",
        &["hours(list)"],
        &[],
    );
}

#[test]
fn every_line_without_effect_is_a_finding_at_its_line() {
    check(
        MUSEUM,
        "include: ['GET *', 'GET /nothing']
exclude:
- id:nothing
tools:
  read_special_event: {title: A}
  empty: {operations: ['tag:none']}
  get_ticket_code: {}
  list_museum_hours:
    arguments: {pgae: p}
    actions: {liszt: all}
  read_special_events:
    operations: ['GET /special-events*']
    title: Get ticket code
    arguments: {limit: 'li mit', page: limit}
operations:
  'GET /spezial': {skip: true}
  'POST *': {posture: primary}
  'GET *': {title: All, posture: secondary}
  '* *': {posture: primary}
  id:getSpecialEvent: {title: One}
  id:listMuseumHours: {arguments: {nothing: x}}
",
        &["read_special_events(list get)"],
        &[
            "1:pattern-matches-nothing `GET /nothing` under `include` names no operation",
            "3:pattern-matches-nothing `id:nothing` under `exclude` names no operation",
            "5:unknown-tool no tool is called `read_special_event`",
            "6:unknown-tool there is no tool `empty`, since nothing is left in it",
            "6:pattern-matches-nothing `tag:none` under `tools.empty.operations` names no operation",
            "7:wish-without-effect `get_ticket_code` asks for nothing",
            "9:nothing-to-rename `pgae` renames no argument",
            "10:nothing-to-rename `list_museum_hours` has no action `liszt`",
            "13:wish-refused another tool has the title `Get ticket code` already",
            "14:wish-refused `li mit` is no name of an argument",
            "14:wish-refused `limit` is another argument",
            "16:pattern-matches-nothing `GET /spezial` under `operations` names no operation",
            "17:wish-without-effect all that `POST *` names is left out",
            "17:wish-without-effect later lines say otherwise than `posture` of `POST *`",
            "18:wish-without-effect `title` is for one operation, and `GET *` names 4",
            "18:wish-without-effect later lines say otherwise than `posture` of `GET *`",
            "20:wish-without-effect `GET /special-events/{eventId}` is not alone in `read_special_events`, so its title is not shown",
            "21:nothing-to-rename `nothing` renames no argument",
        ],
    );
}

#[test]
fn names_that_cannot_be_are_refused_with_what_is_done_instead() {
    check(
        MUSEUM,
        "tools:
  list_museum_hours: {name: Opening Hours!}
  buy_museum_tickets: {name: get_ticket_code}
operations:
  id:listSpecialEvents: {name: see}
  id:getSpecialEvent: {name: see}
",
        &["opening_hours(list)"],
        &[
            "2:wish-refused `Opening Hours!` cannot be the name of a tool; it is called \
             `opening_hours`",
            "3:wish-refused `buy_museum_tickets` cannot be called `get_ticket_code`: another tool \
             has this name",
            "6:wish-refused `GET /special-events/{eventId}` is called `get`, not `see`",
        ],
    );
}

#[test]
fn limits_bound_every_tool() {
    for config in ["max-actions: 2\n", "max-arguments: 6\n"] {
        let api = api(PETSTORE);
        let (without, _) = wished(&api, "", None);
        for previous in [None, Some(&without)] {
            let (plan, said) = wished(&api, config, previous);
            for t in &plan.tools {
                let fine = if config.contains("actions") {
                    t.actions.len() <= 2
                } else {
                    t.arguments.len() <= 6 || t.actions.len() == 1
                };
                assert!(fine, "{config} {:?} {said:?}", text(&plan));
            }
            assert_eq!(plan.covered(), 18);
        }
    }
    let list = "\nmax-actions: 2\ntools: {look: {operations: ['GET /pet*']}}\n";
    let (_, said) = wished(&api(PETSTORE), list, None);
    assert_eq!(said, ["2:tool-over-limit `look` has 3 actions, 2 allowed by `max-actions`"]);
}

#[test]
fn other_tools_stay_when_the_configuration_changes_one() {
    let api = api(&families(40));
    let (before, _) = wished(&api, "", None);
    let first = &before.tools[0];
    let config = format!("tools: {{{}: {{name: renamed_by_hand}}}}\n", first.name);
    let (after, said) = wished(&api, &config, Some(&before));
    assert!(said.is_empty(), "{said:?}");
    assert_eq!(after.tools[0].name, "renamed_by_hand");
    assert_eq!(text(&after)[1..], text(&before)[1..]);
    let key = &first.actions[0].operation;
    let config = format!("operations: {{'{key}': {{posture: catalog}}}}\n");
    let (after, said) = wished(&api, &config, Some(&before));
    assert!(said.is_empty(), "{said:?}");
    assert_eq!(text(&after)[1..], text(&before)[1..]);
    assert!(after.tools[0].actions.iter().all(|a| a.operation != *key));
}

#[test]
fn tools_that_are_asked_for_beside_ten_others_push_none_of_them_out() {
    let api = api(&families(40));
    let (before, _) = wished(&api, "max-primary: 5\n", None);
    let direct = |key: &str| {
        let mut actions = before.tools.iter().flat_map(|t| &t.actions);
        actions.any(|a| a.operation == key)
    };
    let keys = api.operations.iter().map(|o| o.key.to_string()).filter(|k| !direct(k));
    let keys: Vec<String> = keys.filter(|k| k.starts_with("GET ")).take(4).collect();
    let lists =
        keys.iter().enumerate().map(|(i, k)| format!("  own_{i}: {{operations: ['{k}']}}\n"));
    let config = format!("max-primary: 5\ntools:\n{}", lists.collect::<String>());
    let (first, said) = wished(&api, &config, Some(&before));
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].starts_with("1:too-many-tools"), "{said:?}");
    let (second, _) = wished(&api, &config, Some(&first));
    assert_eq!(second.to_yaml(), first.to_yaml());
    assert_eq!(text(&first)[..before.tools.len()], text(&before));
}
