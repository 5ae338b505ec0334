//! What the API answers.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Path, RawQuery, Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde::Serialize;
use serde_json::{Value, json};

use crate::fields::{Fields, Nullable};
use crate::problem::{Problem, Wrong};
use crate::store::{Category, Entry, NewRepair, Outcome, Owner, Status, Store};

const CATEGORIES: &str = "electrical, textile, furniture, bicycle, toy, other";
const OUTCOMES: &str = "fixed, partly_fixed, not_repairable, spare_part_needed";

#[derive(Clone)]
struct Api {
    store: Arc<Mutex<Store>>,
    key: Option<Arc<str>>,
}

impl Api {
    fn store(&self) -> MutexGuard<'_, Store> {
        // A panic while the lock was held leaves the list as it was before or after the change.
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// All routes.
pub fn router(store: Store, key: Option<String>) -> Router {
    let api = Api { store: Arc::new(Mutex::new(store)), key: key.map(Into::into) };
    Router::new()
        .route("/repairs", get(list_repairs).post(create_repair))
        .route("/repairs/{id}", get(get_repair).patch(update_repair).delete(delete_repair))
        .route("/repairs/{id}/finish", axum::routing::post(finish_repair))
        .route("/repairs/{id}/notes", get(list_notes).post(add_note))
        .layer(middleware::from_fn_with_state(api.clone(), ask_for_key))
        .route("/health", get(health))
        .method_not_allowed_fallback(async || Problem::Method)
        .fallback(async || Problem::NotFound("This path does not exist.".to_owned()))
        .with_state(api)
}

async fn ask_for_key(State(api): State<Api>, request: Request, next: Next) -> Response {
    let sent = request.headers().get("x-cafe-key").map(axum::http::HeaderValue::as_bytes);
    match &api.key {
        Some(key) if sent != Some(key.as_bytes()) => Problem::Key.into_response(),
        _ => next.run(request).await,
    }
}

async fn health(State(api): State<Api>) -> Response {
    let repairs = api.store().entries().len();
    answer(StatusCode::OK, &json!({"status": "up", "repairs": repairs}))
}

async fn list_repairs(
    State(api): State<Api>,
    RawQuery(query): RawQuery,
) -> Result<Response, Problem> {
    let filter = Filter::parse(query.as_deref().unwrap_or(""))?;
    let store = api.store();
    let found: Vec<&Entry> = store.entries().iter().rev().filter(|e| filter.takes(e)).collect();
    let page: Vec<_> =
        found.iter().skip(filter.offset).take(filter.limit).map(|e| &e.repair).collect();
    let mut result = json!({"total": found.len(), "repairs": page});
    let next = filter.offset.saturating_add(filter.limit);
    if next < found.len() {
        result["nextOffset"] = next.into();
    }
    Ok(answer(StatusCode::OK, &result))
}

async fn create_repair(State(api): State<Api>, body: Bytes) -> Result<Response, Problem> {
    let mut fields = Fields::of_body(&body)?;
    let object = fields.text("object", 80);
    let fault = fields.text("fault", 1000);
    if !fields.has("category") {
        fields.complain("category", "is required");
    }
    let category = fields.word("category", CATEGORIES).unwrap_or(Category::Other);
    let weight_kg = fields.weight("weightKg");
    let mut owner = Owner { name: String::new(), phone: None };
    if let Some(mut inner) = fields.object("owner") {
        owner.name = inner.text("name", 80);
        if let Nullable::Text(phone) = inner.nullable_text("phone", 80) {
            owner.phone = Some(phone);
        }
        fields.done(inner);
    }
    let what = fields.finish(NewRepair { object, category, fault, owner, weight_kg })?;
    let repair = api.store().add(what).map_err(Problem::Storage)?;
    let mut response = answer(StatusCode::CREATED, &repair);
    if let Ok(path) = format!("/repairs/{}", repair.id).parse() {
        response.headers_mut().insert(header::LOCATION, path);
    }
    Ok(response)
}

async fn get_repair(State(api): State<Api>, Path(id): Path<String>) -> Result<Response, Problem> {
    let store = api.store();
    let entry = store.find(&id).ok_or_else(|| missing(&id))?;
    Ok(answer(StatusCode::OK, &entry.repair))
}

async fn update_repair(
    State(api): State<Api>,
    Path(id): Path<String>,
    body: Bytes,
) -> Result<Response, Problem> {
    let mut fields = Fields::of_body(&body)?;
    if fields.is_empty() {
        fields.complain("", "names nothing to change");
    }
    let fault = fields.optional_text("fault", 1000);
    let category = fields.word::<Category>("category", CATEGORIES);
    let status = fields.word::<Status>("status", "waiting, in_progress");
    if status == Some(Status::Finished) {
        fields.complain("status", "has to be one of waiting, in_progress");
    }
    let volunteer = fields.nullable_text("volunteer", 80);
    let weight = fields.weight("weightKg");
    let mut store = api.store();
    check_open(&store, &id)?;
    fields.finish(())?;
    let changed = store.change(&id, |entry| {
        let repair = &mut entry.repair;
        repair.what.fault = fault.unwrap_or_else(|| std::mem::take(&mut repair.what.fault));
        repair.what.category = category.unwrap_or(repair.what.category);
        repair.what.weight_kg = weight.or(repair.what.weight_kg);
        repair.status = status.unwrap_or(repair.status);
        match volunteer {
            Nullable::Absent => {}
            Nullable::Null => repair.volunteer = None,
            Nullable::Text(name) => repair.volunteer = Some(name),
        }
        repair.clone()
    });
    let repair = changed.map_err(Problem::Storage)?.ok_or_else(|| missing(&id))?;
    Ok(answer(StatusCode::OK, &repair))
}

async fn delete_repair(
    State(api): State<Api>,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    if api.store().remove(&id).map_err(Problem::Storage)? {
        Ok(StatusCode::NO_CONTENT.into_response())
    } else {
        Err(missing(&id))
    }
}

async fn finish_repair(
    State(api): State<Api>,
    Path(id): Path<String>,
    body: Bytes,
) -> Result<Response, Problem> {
    let mut fields = Fields::of_body(&body)?;
    if !fields.has("outcome") {
        fields.complain("outcome", "is required");
    }
    let outcome = fields.word::<Outcome>("outcome", OUTCOMES);
    let minutes = fields.count("minutes", 1440);
    let remark = fields.optional_text("remark", 1000);
    let mut store = api.store();
    check_open(&store, &id)?;
    fields.finish(())?;
    let changed = store.change(&id, |entry| {
        entry.repair.status = Status::Finished;
        entry.repair.outcome = outcome;
        entry.repair.minutes = minutes;
        if let Some(text) = remark {
            let author = entry.repair.volunteer.clone();
            entry.note(text, author);
        }
        entry.repair.clone()
    });
    let repair = changed.map_err(Problem::Storage)?.ok_or_else(|| missing(&id))?;
    Ok(answer(StatusCode::OK, &repair))
}

async fn list_notes(State(api): State<Api>, Path(id): Path<String>) -> Result<Response, Problem> {
    let store = api.store();
    let entry = store.find(&id).ok_or_else(|| missing(&id))?;
    Ok(answer(StatusCode::OK, &entry.notes))
}

async fn add_note(
    State(api): State<Api>,
    Path(id): Path<String>,
    body: Bytes,
) -> Result<Response, Problem> {
    let mut fields = Fields::of_body(&body)?;
    let text = fields.text("text", 1000);
    let author = fields.optional_text("author", 80);
    let (text, author) = fields.finish((text, author))?;
    let added = api.store().change(&id, |entry| entry.note(text, author));
    let note = added.map_err(Problem::Storage)?.ok_or_else(|| missing(&id))?;
    Ok(answer(StatusCode::CREATED, &note))
}

/// What a list asks for.
struct Filter {
    words: Vec<String>,
    status: Vec<Status>,
    category: Option<Category>,
    since: Option<String>,
    limit: usize,
    offset: usize,
}

impl Filter {
    fn parse(query: &str) -> Result<Self, Problem> {
        let mut filter = Self {
            words: Vec::new(),
            status: Vec::new(),
            category: None,
            since: None,
            limit: 20,
            offset: 0,
        };
        let mut wrong = Vec::new();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            let complaint = match &*name {
                "q" => {
                    filter.words =
                        value.to_lowercase().split_whitespace().map(Into::into).collect();
                    None
                }
                "status" => match word(&value) {
                    Some(status) => {
                        filter.status.push(status);
                        None
                    }
                    None => Some("has to be one of waiting, in_progress, finished".to_owned()),
                },
                "category" => {
                    filter.category = word(&value);
                    filter.category.is_none().then(|| format!("has to be one of {CATEGORIES}"))
                }
                "broughtSince" => {
                    let right = is_date(&value);
                    filter.since = Some(value.into_owned());
                    (!right).then(|| "has to be a date such as 2026-03-01".to_owned())
                }
                "limit" => match value.parse() {
                    Ok(limit @ 1..=100) => {
                        filter.limit = limit;
                        None
                    }
                    _ => Some("has to be a whole number from 1 to 100".to_owned()),
                },
                "offset" => match value.parse() {
                    Ok(offset) => {
                        filter.offset = offset;
                        None
                    }
                    Err(_) => Some("has to be a whole number from 0".to_owned()),
                },
                _ => Some("is no parameter of this operation".to_owned()),
            };
            wrong.extend(complaint.map(|detail| Wrong { pointer: name.into_owned(), detail }));
        }
        if wrong.is_empty() { Ok(filter) } else { Err(Problem::Invalid(wrong)) }
    }

    fn takes(&self, entry: &Entry) -> bool {
        let repair = &entry.repair;
        let what = &repair.what;
        let text = format!("{} {} {}", what.object, what.fault, what.owner.name).to_lowercase();
        self.words.iter().all(|word| text.contains(word.as_str()))
            && (self.status.is_empty() || self.status.contains(&repair.status))
            && self.category.is_none_or(|category| category == what.category)
            // Dates in this form sort as text.
            && self.since.as_ref().is_none_or(|since| repair.brought_on >= *since)
    }
}

fn word<T: serde::de::DeserializeOwned>(text: &str) -> Option<T> {
    serde_json::from_value(Value::from(text)).ok()
}

fn is_date(text: &str) -> bool {
    text.len() == 10
        && text.bytes().enumerate().all(|(index, byte)| match index {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}

fn check_open(store: &Store, id: &str) -> Result<(), Problem> {
    let entry = store.find(id).ok_or_else(|| missing(id))?;
    if entry.repair.status == Status::Finished {
        return Err(Problem::Finished(format!("Repair {id} is finished and stays as it is.")));
    }
    Ok(())
}

fn missing(id: &str) -> Problem {
    Problem::NotFound(format!("There is no repair {id}."))
}

fn answer(status: StatusCode, value: &impl Serialize) -> Response {
    let text =
        serde_json::to_vec(value).expect("answers are text and numbers, which always serialise");
    (status, [(header::CONTENT_TYPE, "application/json")], Body::from(text)).into_response()
}

#[cfg(test)]
mod tests;
