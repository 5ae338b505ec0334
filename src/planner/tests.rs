//! Grouping of small APIs, rule by rule.

use super::draft::Draft;
use crate::config::Config;
use crate::diagnostic::Diagnostics;
use crate::ir::{
    Api, Body, Content, Location, Method, Operation, OperationKey, Parameter, Response, Schema,
    SchemaId, Style, Tag,
};
use crate::plan::{Action, Annotations, Catalog, CatalogTool, Effect, Entry, Plan, Posture, Tool};
use crate::source::{At, Pointer};

/// An API from lines of `METHOD /path operationId argument …`. An id `-` is none. An argument
/// `+name` is in the body, `#name` is a tag, `=201` a response, `!deprecated`, others are in the query.
pub(super) fn api(lines: &str) -> Api {
    let mut api = Api { title: "Test".into(), ..Api::default() };
    api.schemas.push(Schema::default());
    for line in lines.lines().map(str::trim).filter(|l| !l.is_empty()) {
        let operation = operation(&mut api, line);
        api.operations.push(operation);
    }
    api
}

fn operation(api: &mut Api, line: &str) -> Operation {
    let mut parts = line.split_whitespace();
    let method = match parts.next().unwrap() {
        "GET" => Method::Get,
        "POST" => Method::Post,
        "PUT" => Method::Put,
        "PATCH" => Method::Patch,
        "DELETE" => Method::Delete,
        other => Method::Other(other.into()),
    };
    let path = parts.next().unwrap().to_owned();
    let id = parts.next().filter(|id| *id != "-").map(str::to_owned);
    let mut operation = Operation {
        key: OperationKey { method, path: path.clone() },
        id,
        summary: None,
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
    };
    let in_path = path.split('{').skip(1).filter_map(|p| p.split('}').next());
    operation.parameters.extend(in_path.map(|name| parameter(name, Location::Path)));
    let mut schema = Schema::default();
    for part in parts {
        match part.split_at(1) {
            ("+", name) => drop(schema.properties.insert(name.into(), SchemaId(0))),
            ("#", tag) => operation.tags.push(tag.into()),
            ("=", status) => operation.responses.push(Response {
                status: status.into(),
                description: None,
                contents: Vec::new(),
                headers: Vec::new(),
            }),
            ("!", "deprecated") => operation.deprecated = true,
            ("!", "skip") => operation.hints.skip = true,
            ("@", group) => operation.hints.group = Some(group.into()),
            ("^", posture) => operation.hints.posture = Some(posture.into()),
            _ => operation.parameters.push(parameter(part, Location::Query)),
        }
    }
    if !schema.properties.is_empty() {
        let id = SchemaId(u32::try_from(api.schemas.len()).unwrap());
        api.schemas.push(schema);
        let content = Content {
            media_type: "application/json".into(),
            schema: Some(id),
            encoding: indexmap::IndexMap::default(),
            example: None,
        };
        operation.body = Some(Body { required: true, description: None, contents: vec![content] });
    }
    operation
}

fn parameter(name: &str, location: Location) -> Parameter {
    Parameter {
        name: name.into(),
        location,
        required: location == Location::Path,
        deprecated: false,
        description: None,
        schema: SchemaId(0),
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

/// One line a tool: `effect name(action action)`, `?` before secondary ones; then `+N` entries.
fn text(draft: &Draft) -> String {
    let mut lines: Vec<String> = Vec::new();
    for tool in &draft.tools {
        let actions: Vec<&str> = tool.actions.iter().map(|a| a.name.as_str()).collect();
        let effect = if tool.effect == Effect::Read { 'R' } else { 'W' };
        let posture = if tool.posture == Posture::Secondary { "?" } else { "" };
        let actions =
            if actions.len() > 1 { format!("({})", actions.join(" ")) } else { String::new() };
        lines.push(format!("{posture}{effect} {}{actions}", tool.name));
    }
    if !draft.entries.is_empty() {
        lines.push(format!("+{}", draft.entries.len()));
    }
    lines.join("\n")
}

fn draft(api: &Api) -> (Draft, Vec<&'static str>) {
    let mut diagnostics = Diagnostics::default();
    let draft = super::draft(&mut diagnostics, api, &Config::default(), None);
    (draft, diagnostics.sorted().iter().map(|d| d.code.id).collect())
}

fn check(lines: &str, expected: &str) {
    let api = api(lines);
    let (draft, _) = draft(&api);
    sound(&api, &draft);
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    assert_eq!(text(&draft), expected.join("\n"));
}

/// What holds for every draft.
fn sound(api: &Api, draft: &Draft) {
    let direct = draft.tools.iter().flat_map(|t| &t.actions).map(|a| a.operation);
    let mut seen: Vec<usize> = direct.clone().collect();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), direct.count(), "an operation is in two tools");
    if !draft.entries.is_empty() {
        seen = draft.entries.iter().map(|e| e.operation).collect();
    }
    assert_eq!(seen.len() + draft.excluded.len(), api.operations.len(), "each operation once");
    let mut names = std::collections::BTreeSet::new();
    for tool in &draft.tools {
        let name = &tool.name;
        let parts: Vec<&str> = name.split('_').collect();
        let legal = |p: &&str| {
            !p.is_empty() && p.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
        };
        assert!(parts.iter().all(legal), "N1: {name}");
        assert!(name.starts_with(|c: char| c.is_ascii_lowercase()), "N1: {name}");
        assert!(name.len() <= 46, "N2: {name}");
        assert!(names.insert(name.replace('_', "")), "N3: {name}");
        assert!(!tool.title.is_empty() && tool.title.chars().count() <= 80, "T4: {}", tool.title);
        assert!(!tool.why.is_empty() && !tool.nouns.is_empty());
        let actions: std::collections::BTreeSet<&str> =
            tool.actions.iter().map(|a| a.name.as_str()).collect();
        assert_eq!(actions.len(), tool.actions.len(), "actions of {name}");
        assert!(tool.actions.len() <= 14, "actions of {name}");
    }
    let entries: std::collections::BTreeSet<&str> =
        draft.entries.iter().map(|e| e.name.as_str()).collect();
    assert_eq!(entries.len(), draft.entries.len());
    let primary = draft.tools.iter().filter(|t| t.posture == Posture::Primary).count();
    let catalog = if draft.entries.is_empty() { 0 } else { 3 };
    assert!(primary + catalog <= 10, "{primary} primary tools");
}

pub(super) const MUSEUM: &str = "
    GET /museum-hours listMuseumHours startDate page limit
    POST /special-events createSpecialEvent +name +location +eventDescription +dates +price
    GET /special-events listSpecialEvents startDate endDate page limit
    GET /special-events/{eventId} getSpecialEvent
    PATCH /special-events/{eventId} updateSpecialEvent +name +location +eventDescription +dates +price
    DELETE /special-events/{eventId} deleteSpecialEvent
    POST /tickets buyMuseumTickets +ticketType +eventId +ticketDate +email
    GET /tickets/{ticketId}/qr getTicketCode";

#[test]
fn the_museum_becomes_six_tools() {
    check(
        MUSEUM,
        "R read_special_events(list get)
         W manage_special_events(create update)
         W delete_special_event
         R get_ticket_code
         W buy_museum_tickets
         R list_museum_hours",
    );
}

pub(super) const PETSTORE: &str = "
    PUT /pet updatePet +id +name +category +photoUrls +tags +status #pet
    POST /pet addPet +id +name +category +photoUrls +tags +status #pet
    GET /pet/findByStatus findPetsByStatus status #pet
    GET /pet/findByTags findPetsByTags tags #pet
    GET /pet/{petId} getPetById #pet
    POST /pet/{petId} updatePetWithForm name status #pet
    DELETE /pet/{petId} deletePet api_key #pet
    POST /pet/{petId}/uploadImage uploadFile additionalMetadata #pet
    GET /store/inventory getInventory #store
    POST /store/order placeOrder +id +petId +quantity +shipDate +status +complete #store
    GET /store/order/{orderId} getOrderById #store
    DELETE /store/order/{orderId} deleteOrder #store
    POST /user createUser +id +username +firstName +email +password #user
    GET /user/login loginUser username password #user
    GET /user/logout logoutUser #user
    GET /user/{username} getUserByName #user
    PUT /user/{username} updateUser +id +firstName +email +password #user
    DELETE /user/{username} deleteUser #user";

#[test]
fn the_pet_store_keeps_its_families_apart_and_logging_in_secondary() {
    check(
        PETSTORE,
        "R read_pets(find_by_status find_by_tags get)
         W manage_pets(create update update_pet upload_image)
         W delete_pet
         R get_user
         W manage_users(create update)
         W delete_user
         R get_order
         W manage_orders(place delete)
         R get_inventory
         ?W manage_sessions(login logout)",
    );
}

#[test]
fn a_get_that_logs_out_writes_and_is_reported() {
    let (_, codes) = draft(&api(PETSTORE));
    assert_eq!(codes, ["read-method-writes"; 2]);
}

#[test]
fn a_noun_that_looks_like_a_verb_does_not_make_a_get_write() {
    let (plan, codes) = draft(&api("
        GET /move/ move_list page
        GET /move/{id}/ move_retrieve
        GET /move-ailment/ move_ailment_list page
        GET /move-ailment/{id}/ move_ailment_retrieve
        GET /list/remove remove_list"));
    assert_eq!(codes, ["read-method-writes"]);
    assert_eq!(plan.tools.iter().filter(|t| t.effect == Effect::Write).count(), 1);
}

#[test]
fn an_action_on_an_item_joins_the_writers_of_the_item_before_those_of_its_sections() {
    check(
        "GET /repairs listRepairs status limit
         POST /repairs createRepair +visitor +item +fault +station +photo +weight
         GET /repairs/{repairId} getRepair
         PATCH /repairs/{repairId} updateRepair +item +fault +station +status +volunteer
         DELETE /repairs/{repairId} deleteRepair
         POST /repairs/{repairId}/finish finishRepair +outcome +minutes +parts
         POST /repairs/{repairId}/notes addNote +text +author",
        "R read_repairs(list get)
         W manage_repairs(create update finish add_note)
         W delete_repair",
    );
}

#[test]
fn an_identifier_tells_that_the_end_of_a_path_is_an_action() {
    check(
        "GET /items/{sku} getItem
         POST /items/{sku}/calibrate calibrateItem
         POST /items/{sku}/label setItemLabel +text
         POST /items/{sku}/note notePost +text",
        "R get_item
         W manage_items(calibrate create_note set_label)",
    );
}

#[test]
fn a_post_on_what_has_no_collection_does_not_update() {
    check("POST /portal/{app} - +name", "W create_portal");
    check(
        "GET /portals -
         POST /portals/{app} - +name",
        "R list_portals
         W update_portal",
    );
}

#[test]
fn names_of_services_in_identifiers_are_no_part_of_actions() {
    check(
        "GET /memos/{id} MemoService_GetMemo
         GET /memos/{id}/comments MemoService_ListMemoComments",
        "R read_memos(get list_comments)",
    );
}

#[test]
fn identifiers_are_about_the_noun_before_them() {
    check(
        "GET /no/operation/id - page
         POST /no/operation/id - +name",
        "R get_operation_id
         W create_operation_id",
    );
}

#[test]
fn a_noun_of_which_all_is_deprecated_is_secondary() {
    check(
        "GET /items - page
         GET /items/{sku} - !deprecated
         GET /stock - !deprecated",
        "R read_items(list get)
         ?R get_stock",
    );
}

#[test]
fn who_one_is_is_secondary_where_there_is_much_to_do() {
    let (plan, _) = draft(&api(&format!("{}GET /me getMe", families(5))));
    assert!(text(&plan).ends_with("\n?R get_my_account"), "{}", text(&plan));
    check("GET /me getMe", "R get_my_account");
}

#[test]
fn two_nouns_may_share_less_than_three_before_a_tool_is_muddled() {
    let muddled = |lines: &str| {
        let api = api(lines);
        let all: Vec<usize> = (0..api.operations.len()).collect();
        let asked = super::orders::read(&mut Diagnostics::default(), &api, &Config::default());
        let facts = super::analyse::analyse(&mut Diagnostics::default(), &api, &all, &asked);
        let pool = super::cost::Pool::new(&facts, super::cost::Limits::of(&Config::default()));
        super::group::is_muddled(&pool.group(all))
    };
    let (one, two) = ("GET /a1 - x y z\nGET /a1/p - p\n", "GET /b1 - t u\nGET /b1/q - q\n");
    assert!(!muddled(&format!("{one}GET /a1/s - h i j k l m n o")), "one noun never is");
    assert!(!muddled(&format!("{one}{two}GET /b1/r - r")), "two nouns share enough");
    assert!(muddled(&format!("{one}{two}GET /c1 - r")), "three nouns do not");
    assert!(muddled(&format!("{one}{two}GET /b1/s - h i j k l m n o")), "two share too little");
    assert!(muddled("GET /a1 - x\nGET /b1 - x\nGET /c1 - x\nGET /d1 - x"), "four nouns");
}

#[test]
fn what_the_title_names_is_central() {
    let mut api = api(&families(12));
    let has_rooms = |api: &Api| draft(api).0.tools.iter().any(|t| t.name == "read_rooms");
    assert!(!has_rooms(&api));
    api.title = "Rooms to Let".into();
    assert!(has_rooms(&api));
    api.title = "Test".into();
    api.description = Some("Find rooms and book them.".into());
    assert!(has_rooms(&api));
}

#[test]
fn two_large_collections_below_another_stand_on_their_own() {
    let mut lines = String::new();
    for noun in ["apps", "apps/{app}/hooks", "apps/{app}/notes"] {
        let one = noun.rsplit('/').next().unwrap();
        for (method, path, extra) in [
            ("GET", "", "page limit"),
            ("POST", "", "+title +text"),
            ("GET", "/{one}", ""),
            ("PUT", "/{one}", "+title +text"),
            ("PATCH", "/{one}", "+title"),
            ("DELETE", "/{one}", ""),
            ("GET", "/{one}/stats", ""),
            ("POST", "/{one}/pause", ""),
            ("POST", "/{one}/resume", ""),
        ] {
            let path = path.replace("one", one);
            lines.extend(["\n", method, " /", noun, &path, " - ", extra]);
        }
    }
    let (plan, _) = draft(&api(&lines));
    for name in ["read_apps", "read_hooks", "read_notes", "manage_hooks"] {
        assert!(plan.tools.iter().any(|t| t.name == name), "{name} in {}", text(&plan));
    }
}

#[test]
fn nothing_is_joined_into_a_muddle_but_at_any_price() {
    use super::group::{AT_ANY_PRICE, is_muddled, merge};
    let api = api("GET /a1 - x\nGET /b1 - x\nGET /c1 - x\nGET /d1 - x");
    let asked = super::orders::read(&mut Diagnostics::default(), &api, &Config::default());
    let facts = super::analyse::analyse(&mut Diagnostics::default(), &api, &[0, 1, 2, 3], &asked);
    let pool = super::cost::Pool::new(&facts, super::cost::Limits::of(&Config::default()));
    let merged = |threshold: f64| {
        let singles = (0..4).map(|m| pool.group(vec![m])).collect();
        merge(&pool, singles, super::cost::Relation::Unrelated, threshold, 1)
    };
    assert!(merged(100.0).len() > 1 && !merged(100.0).iter().any(is_muddled));
    assert_eq!(merged(AT_ANY_PRICE).len(), 1);
}

#[test]
fn a_post_that_shows_one_thing_reads() {
    check("POST /show showModel +model", "R show_model");
}

#[test]
fn versions_and_frames_of_paths_are_no_nouns() {
    check(
        "GET /api/v2/cats - page
         GET /api/v2/cats/{id} -",
        "R read_cats(list get)",
    );
    check("GET /services/{id} -", "R get_service");
}

#[test]
fn verbs_are_taken_out_of_paths() {
    check(
        "POST /jobs/{id}:cancel -
         GET /jobs/{id} -",
        "R get_job
         W cancel_job",
    );
    check(
        "GET /search/movie - query page
         GET /movie/{id} - language",
        "R read_movies(search get)",
    );
    check(
        "GET /conversations.list - limit cursor
         POST /conversations.archive - +channel
         POST /conversations.rename - +channel +name",
        "R list_conversations
         W manage_conversations(archive rename)",
    );
    check(
        "GET /getInvoice - id
         POST /createInvoice - +amount",
        "R get_invoice
         W create_invoice",
    );
}

#[test]
fn taking_away_is_not_doing() {
    check(
        "PUT /crates/{name}/follow followCrate
         DELETE /crates/{name}/follow unfollowCrate
         DELETE /stars/{id}/star -",
        "W manage_crates(follow unfollow)
         W delete_star",
    );
}

#[test]
fn replacing_is_told_from_updating_and_finding_one_is_getting() {
    check(
        "GET /cats/{id} findCat
         PUT /cats/{id} updateCat +name +color
         PATCH /cats/{id} patchCat +name +color",
        "R find_cat
         W update_cats(update replace)",
    );
}

#[test]
fn a_post_that_only_reads_reads_and_says_so() {
    let api = api("POST /points/search searchPoints +vector
                   POST /points/count countPoints +filter =201");
    let (draft, _) = draft(&api);
    assert_eq!(text(&draft), "R search_points\nW count_points");
    assert!(draft.tools[0].why.iter().any(|w| w.contains("although its method is POST")));
}

#[test]
fn reaching_into_a_pod_writes_whatever_its_method() {
    check(
        "GET /api/v1/namespaces/{namespace}/pods/{name} readCoreV1NamespacedPod
         GET /api/v1/namespaces/{namespace}/pods/{name}/exec connectCoreV1GetNamespacedPodExec command
         GET /api/v1/namespaces/{namespace}/pods/{name}/proxy connectCoreV1GetNamespacedPodProxy path",
        "R read_pod
         W manage_pods(exec proxy)",
    );
}

#[test]
fn identifiers_made_from_paths_are_not_used() {
    check(
        "GET /v1/subscription_items GetSubscriptionItems limit
         POST /v1/subscription_items PostSubscriptionItems +price",
        "R list_subscription_items
         W create_subscription_item",
    );
}

#[test]
fn what_a_generator_adds_to_identifiers_is_taken_off() {
    check(
        "GET /api/items/{id} read_item_api_items__id__get
         POST /api/login login_api_login_post +name",
        "R read_item
         ?W login",
    );
}

#[test]
fn words_of_any_script_make_names() {
    let lines = "GET /пользователи - page
         GET /用户/{id} -
         GET /订单/{id} -
         GET /größen -";
    let (draft, _) = draft(&api(lines));
    sound(&api(lines), &draft);
    let names: Vec<&str> = draft.tools.iter().map(|t| t.name.as_str()).collect();
    assert!(names.contains(&"get_polzovateli"), "{names:?}");
    assert!(names.contains(&"get_groessen"), "{names:?}");
    assert_eq!(names.iter().filter(|n| n.starts_with("get_x")).count(), 2, "{names:?}");
}

#[test]
fn what_belongs_to_the_caller_joins_its_noun() {
    check(
        "GET /me -
         GET /me/playlists - limit
         GET /playlists/{id} -
         GET /users/{id}/playlists - limit",
        "R read_playlists(list get list_for_user)
         R get_my_account",
    );
}

#[test]
fn long_names_are_cut_with_a_hash_that_depends_on_the_name_only() {
    let long =
        super::naming::legal("list organization scheduled compliance report recipients history");
    assert!(long.len() <= 40 && long.starts_with("list_organization_scheduled"), "{long}");
    let other = super::naming::legal("list organization scheduled compliance report recipients x");
    assert_ne!(long, other);
    assert_eq!(super::naming::legal("2fa codes"), "do_2fa_codes");
}

#[test]
fn patterns_include_and_exclude_with_reasons() {
    let config = Config {
        include: vec!["/pet*".into(), "tag:store".into()],
        exclude: vec!["DELETE *".into(), "id:nothing".into()],
        ..Config::default()
    };
    let mut diagnostics = Diagnostics::default();
    let draft = super::draft(&mut diagnostics, &api(PETSTORE), &config, None);
    let reasons: std::collections::BTreeSet<&str> =
        draft.excluded.iter().map(|e| e.reason.as_str()).collect();
    assert_eq!(
        reasons.into_iter().collect::<Vec<_>>(),
        ["`exclude` names it by `DELETE *`", "no pattern of `include` names it"]
    );
    assert!(
        diagnostics.iter().any(|d| d.message == "`id:nothing` under `exclude` names no operation")
    );
    let kept: usize = draft.tools.iter().map(|t| t.actions.len()).sum();
    assert_eq!(kept + draft.excluded.len(), 18);
}

#[test]
fn hints_skip_group_and_place() {
    let lines = "
        GET /a - !skip
        GET /b - @things
        POST /c - @things +x
        GET /d - ^secondary
        GET /e -";
    let (draft, codes) = draft(&api(lines));
    assert_eq!(text(&draft), "R read_things\nW manage_things\nR get_e\n?R get_d");
    assert_eq!(codes, ["group-mixes-effects"]);
    assert_eq!(draft.excluded[0].reason, "`x-mcp` says to skip it");
}

#[test]
fn hints_of_tags_count_too() {
    let mut api = api("GET /a - #internal\nGET /b -");
    let mut tag = Tag { name: "internal".into(), ..Tag::default() };
    tag.hints.skip = true;
    api.tags.push(tag);
    let (draft, _) = draft(&api);
    assert_eq!(text(&draft), "R get_b");
    assert_eq!(draft.excluded[0].reason, "`x-mcp` on tag `internal` says to skip it");
}

#[test]
fn nothing_left_is_an_error() {
    let (draft, codes) = draft(&api(""));
    assert_eq!((draft.tools.len(), codes), (0, vec!["no-operations"]));
}

/// Families of five operations.
pub(super) fn families(count: usize) -> String {
    const NOUNS: &[&str] = &[
        "accounts",
        "orders",
        "invoices",
        "parcels",
        "rooms",
        "guests",
        "bookings",
        "rates",
        "hotels",
        "reviews",
        "photos",
        "amenities",
        "cities",
        "airports",
        "flights",
        "seats",
        "meals",
        "trains",
        "boats",
        "cars",
        "drivers",
        "tolls",
        "routes",
        "maps",
        "layers",
        "markers",
        "zones",
        "alarms",
    ];
    let mut lines = String::new();
    for i in 0..count {
        let noun = NOUNS[i % NOUNS.len()];
        let area =
            if i < NOUNS.len() { String::new() } else { format!("/area{}", i / NOUNS.len()) };
        for (method, path, extra) in [
            ("GET", format!("{area}/{noun}"), format!("page {noun}_filter")),
            ("POST", format!("{area}/{noun}"), format!("+name +{noun}_kind +{noun}_size")),
            ("GET", format!("{area}/{noun}/{{id}}"), String::new()),
            ("PATCH", format!("{area}/{noun}/{{id}}"), format!("+name +{noun}_kind")),
            ("DELETE", format!("{area}/{noun}/{{id}}"), String::new()),
        ] {
            lines.extend([method, " ", &path, " - ", &extra, " #", noun, "\n"]);
        }
    }
    lines
}

#[test]
fn more_families_than_places_bring_the_catalog() {
    let api = api(&families(12));
    let (draft, _) = draft(&api);
    sound(&api, &draft);
    assert_eq!((draft.tools.len(), draft.entries.len()), (7, 60));
    // A reader and a writer of one noun before the next.
    for pair in draft.tools.chunks(2).take(3) {
        assert_eq!(pair[0].nouns, pair[1].nouns);
        assert_eq!((pair[0].effect, pair[1].effect), (Effect::Read, Effect::Write));
    }
    let names: Vec<&str> = draft.entries.iter().take(5).map(|e| e.name.as_str()).collect();
    assert_eq!(
        names,
        ["list_accounts", "create_account", "get_account", "update_account", "delete_account"]
    );
}

#[test]
fn nouns_of_one_tag_that_share_their_arguments_are_joined_before_there_is_a_catalog() {
    let nouns = ["ant", "bee", "cat", "dog", "eel", "fox", "gnu", "hen", "owl"];
    let mut lines = String::new();
    for noun in nouns {
        let line = format!("GET /{noun}s - {noun}_a {noun}_b {noun}_c {noun}_d\n");
        lines.push_str(&line);
    }
    lines.push_str("PUT /tracks - ids market #library\nPUT /albums - ids market #library\n");
    let api = api(&lines);
    let (draft, _) = draft(&api);
    sound(&api, &draft);
    assert_eq!((draft.tools.len(), draft.entries.len()), (10, 0), "{}", text(&draft));
    let joined = draft.tools.iter().find(|t| t.nouns.len() > 1).map(|t| t.name.as_str());
    assert_eq!(joined, Some("update_library"), "{}", text(&draft));
}

#[test]
fn names_in_the_catalog_keep_the_words_of_identifiers() {
    let mut lines = families(20);
    lines.push_str("POST /issues issues/create +title\nGET /issues/{id} issues/get\n");
    let api = api(&lines);
    let (draft, _) = draft(&api);
    sound(&api, &draft);
    let entry = draft
        .entries
        .iter()
        .find(|e| api.operations[e.operation].id.as_deref() == Some("issues/create"));
    assert_eq!(entry.map(|e| e.name.as_str()), Some("issues_create"));
}

#[test]
fn max_primary_bounds_the_primary_tools() {
    for max in 3..12 {
        for count in [2, 5, 9, 20] {
            let config = Config { max_primary: max, ..Config::default() };
            let mut diagnostics = Diagnostics::default();
            let draft = super::draft(&mut diagnostics, &api(&families(count)), &config, None);
            let catalog = if draft.entries.is_empty() { 0 } else { 3 };
            assert!(draft.tools.len() + catalog <= max, "{max} {count}: {}", text(&draft));
        }
    }
}

/// The same API with its operations in another order.
fn shuffled(api: &Api) -> Api {
    let mut api = api.clone();
    let count = api.operations.len();
    let order: Vec<usize> = (0..count).map(|i| (i * 37 + 11) % count).collect();
    let mut sorted = order.clone();
    sorted.sort_unstable();
    if sorted == (0..count).collect::<Vec<_>>() {
        api.operations = order.into_iter().map(|i| api.operations[i].clone()).collect();
    } else {
        api.operations.reverse();
    }
    api
}

/// Tools with keys instead of indices.
fn keyed(api: &Api, draft: &Draft) -> Vec<(String, String, String)> {
    let tools = draft.tools.iter().flat_map(|t| {
        t.actions
            .iter()
            .map(|a| (t.name.clone(), a.name.clone(), api.operations[a.operation].key.to_string()))
    });
    let mut entries: Vec<_> = draft
        .entries
        .iter()
        .map(|e| (String::new(), e.name.clone(), api.operations[e.operation].key.to_string()))
        .collect();
    entries.sort();
    tools.chain(entries).collect()
}

#[test]
fn the_order_of_the_document_decides_nothing() {
    for lines in [MUSEUM.to_owned(), PETSTORE.to_owned(), families(9), families(40)] {
        let api = api(&lines);
        let other = shuffled(&api);
        assert_ne!(api.operations, other.operations);
        assert_eq!(keyed(&api, &draft(&api).0), keyed(&other, &draft(&other).0));
    }
}

/// What a plan keeps of a draft.
fn planned(api: &Api, draft: &Draft) -> Plan {
    let key = |i: usize| api.operations[i].key.to_string();
    let tools = draft.tools.iter().map(|t| Tool {
        name: t.name.clone(),
        title: t.title.clone(),
        posture: t.posture,
        description: String::new(),
        annotations: Annotations {
            read_only: t.effect == Effect::Read,
            destructive: false,
            idempotent: false,
            open_world: true,
        },
        actions: t
            .actions
            .iter()
            .map(|a| Action {
                name: a.name.clone(),
                operation: key(a.operation),
                summary: String::new(),
                media_type: None,
                required: Vec::new(),
            })
            .collect(),
        selector: None,
        arguments: Vec::new(),
        toolsets: Vec::new(),
        output: None,
        why: t.why.clone(),
    });
    let tool =
        || CatalogTool { name: String::new(), title: String::new(), description: String::new() };
    let entries = draft.entries.iter().map(|e| Entry {
        name: e.name.clone(),
        operation: key(e.operation),
        summary: String::new(),
        effect: e.effect,
        tool: None,
        media_type: None,
        arguments: Vec::new(),
        required: Vec::new(),
        keywords: Vec::new(),
        toolsets: Vec::new(),
        why: None,
    });
    let catalog =
        Catalog { find: tool(), read: tool(), write: Some(tool()), entries: entries.collect() };
    Plan {
        api_title: String::new(),
        api_version: String::new(),
        server: String::new(),
        title: String::new(),
        connection: crate::plan::Connection::default(),
        sizes: crate::plan::Sizes::default(),
        instructions: String::new(),
        tools: tools.collect(),
        catalog: (!draft.entries.is_empty()).then_some(catalog),
        excluded: Vec::new(),
    }
}

fn follow(before: &Api, after: &Api) -> (Draft, Draft) {
    let (first, _) = draft(before);
    let plan = planned(before, &first);
    let mut diagnostics = Diagnostics::default();
    let second = super::draft(&mut diagnostics, after, &Config::default(), Some(&plan));
    assert!(!diagnostics.iter().any(|d| d.code.id == "plan-not-kept"));
    (first, second)
}

#[test]
fn with_the_plan_before_nothing_moves_when_operations_are_shuffled() {
    for lines in [MUSEUM.to_owned(), PETSTORE.to_owned(), families(40)] {
        let api = api(&lines);
        let other = shuffled(&api);
        let (first, second) = follow(&api, &other);
        assert_eq!(keyed(&api, &first), keyed(&other, &second));
        let whys = |d: &Draft| {
            d.tools.iter().map(|t| (t.title.clone(), t.why.clone())).collect::<Vec<_>>()
        };
        assert_eq!(whys(&first), whys(&second));
    }
}

#[test]
fn with_the_plan_before_one_new_operation_moves_no_other() {
    for (lines, new) in [
        (MUSEUM.to_owned(), "GET /special-events/{eventId}/guests listGuests limit"),
        (MUSEUM.to_owned(), "GET /shops - page"),
        (PETSTORE.to_owned(), "POST /pet/{petId}/adopt adoptPet +owner"),
        (families(9), "POST /rooms/{id}/clean -"),
        (families(40), "GET /zebras - page"),
        (families(40), "GET /accounts/{id}/balance -"),
    ] {
        let before = api(&lines);
        let after = api(&format!("{new}\n{lines}"));
        let (first, second) = follow(&before, &after);
        let (first, second) = (keyed(&before, &first), keyed(&after, &second));
        let moved: Vec<_> = first.iter().filter(|row| !second.contains(row)).collect();
        assert!(moved.is_empty(), "{new} moved {moved:?}");
        assert!(second.len() > first.len(), "{new} has no place");
    }
}

#[test]
fn with_the_plan_before_what_is_gone_leaves_and_renamed_parameters_stay() {
    let before = api(MUSEUM);
    let after = MUSEUM
        .replace("{eventId}", "{event}")
        .replace("GET /museum-hours listMuseumHours startDate page limit", "");
    let after = api(&after);
    let (first, second) = follow(&before, &after);
    let names = |d: &Draft| d.tools.iter().map(|t| t.name.clone()).collect::<Vec<_>>();
    let mut expected = names(&first);
    expected.retain(|n| n != "list_museum_hours");
    assert_eq!(names(&second), expected);
}

#[test]
fn a_plan_with_more_tools_than_allowed_now_is_left_with_a_note() {
    let api = api(PETSTORE);
    let plan = planned(&api, &draft(&api).0);
    let config = Config { max_primary: 5, ..Config::default() };
    let mut diagnostics = Diagnostics::default();
    let second = super::draft(&mut diagnostics, &api, &config, Some(&plan));
    assert!(diagnostics.iter().any(|d| d.code.id == "plan-not-kept"));
    assert!(second.tools.iter().filter(|t| t.posture == Posture::Primary).count() <= 5);
}

#[test]
fn thousands_of_operations_under_one_noun_are_grouped_in_bounded_time() {
    let mut lines = String::new();
    for i in 0..1500 {
        let line = format!("GET /things/{{id}}/part{i} - a{} b{}\n", i % 40, i % 7);
        lines.push_str(&line);
    }
    let api = api(&lines);
    let start = std::time::Instant::now();
    let (draft, _) = draft(&api);
    sound(&api, &draft);
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn a_noun_that_is_written_short_is_spelled_out_by_its_tags() {
    check(
        "GET /app/{id}/msg listMessages #Message
         GET /app/{id}/msg/{msg} getMessage #Message
         POST /app/{id}/msg createMessage #Message +text
         DELETE /app/{id}/msg/{msg} deleteMessage #Message",
        "R read_messages(list get)
         W manage_messages(create delete)",
    );
    // `cat` is no short form of `category`, which has paths of its own.
    check(
        "GET /cat/{id} getCat #category
         GET /category/{id} getCategory #category",
        "R get_cat
         R get_category",
    );
}

/// The tools beside the catalog of an API of many families and these lines.
fn direct(lines: &str) -> Vec<String> {
    let mut all = lines.to_owned();
    for i in 0..50 {
        let noun = format!("{}{}", ["alpha", "bravo", "delta", "gamma", "omega"][i % 5], i / 5);
        all.push_str(&format!("\nGET /{noun}s/{{id}} -\nPOST /{noun}s - +name"));
    }
    let (draft, _) = draft(&api(&all));
    assert!(!draft.entries.is_empty(), "there is no catalog");
    draft.tools.into_iter().map(|t| t.name).collect()
}

#[test]
fn what_others_take_and_what_is_made_of_much_is_central_and_rules_of_access_are_not() {
    let tools = direct(
        "GET /roles -
         POST /roles - +name
         GET /roles/{id} -
         GET /rents -
         POST /rents - +a +b +c +d +e +f +g +h +i +j +k +l
         GET /rents/{id} -
         POST /rents/{id}/extend -",
    );
    let place = |name: &str| tools.iter().position(|t| t == name);
    assert!(place("read_rents").is_some(), "{tools:?}");
    assert!(place("read_roles").is_none_or(|p| p > place("read_rents").unwrap()), "{tools:?}");
}

#[test]
fn a_trial_form_takes_nothing_from_what_it_is_a_form_of() {
    let with = direct(
        "GET /replies -
         GET /replies/{id} -
         POST /replies - +a +b +c +d +e +f
         GET /beta/replies -
         GET /beta/replies/{id} -
         POST /beta/replies - +a +b +c +d +e +f",
    );
    assert_eq!(with[..2], ["read_replies", "create_reply"], "{with:?}");
}

#[test]
fn a_tool_that_makes_things_changes_them_too_although_it_is_wide() {
    let fields = |from: usize, to: usize| {
        (from..to).map(|i| format!("+field{i}")).collect::<Vec<_>>().join(" ")
    };
    let lines = format!(
        "POST /plans createPlan {}\nPATCH /plans/{{id}} updatePlan {}\nDELETE /plans/{{id}} deletePlan",
        fields(0, 26),
        fields(3, 30)
    );
    let (whole, _) = draft(&api(&lines));
    assert_eq!(text(&whole), "W manage_plans(create update)\nW delete_plan");
    // Where they have little in common, or are wider still, they stay apart.
    let lines = format!(
        "POST /plans createPlan {}\nPATCH /plans/{{id}} updatePlan {}",
        fields(0, 30),
        fields(20, 50)
    );
    let (apart, _) = draft(&api(&lines));
    assert_eq!(apart.tools.len(), 2, "{}", text(&apart));
}

#[test]
fn definitions_that_are_too_long_become_a_catalog_and_fewer_tools() {
    let mut api = Api { title: "Test".into(), ..Api::default() };
    let words = "What this is about in rather many words, so that a reader has much to read. ";
    for noun in ["ash", "elm", "fir", "oak", "yew", "bay", "box", "fig", "gum"] {
        let fields: Vec<String> = (0..22).map(|i| format!("+{noun}_field{i}")).collect();
        let line = format!("POST /{noun}s - {}", fields.join(" "));
        if api.schemas.is_empty() {
            api.schemas.push(Schema::default());
        }
        let operation = operation(&mut api, &line);
        api.operations.push(operation);
    }
    let short = super::plan(&mut Diagnostics::default(), &api, &Config::default(), None);
    assert!(short.catalog.is_none(), "nothing is long yet");
    for schema in &mut api.schemas {
        schema.description = Some(words.repeat(3));
    }
    let long = super::plan(&mut Diagnostics::default(), &api, &Config::default(), None);
    assert!(
        !super::finish::are_long(&long.tools, long.catalog.is_some()),
        "{} tools",
        long.tools.len()
    );
    assert_eq!(long.operations(), 9);
}
