//! Notes, kept in memory.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::get;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, OpenApi, ToSchema};

/// All notes, by number.
pub type Notes = Arc<Mutex<BTreeMap<u32, Note>>>;

/// A note.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Note {
    /// Its number.
    id: u32,
    /// What it says.
    text: String,
    /// Who wrote it: the program that sent the request.
    author: Option<String>,
}

/// What a note is made of.
#[derive(Debug, Deserialize, ToSchema)]
pub struct NewNote {
    /// What it says.
    text: String,
}

/// Which notes to list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Filter {
    /// Only notes that have this word.
    word: Option<String>,
}

/// The description of the API.
#[derive(OpenApi)]
#[openapi(
    info(title = "Notes", version = "1.0.0", description = "Short notes that a team keeps."),
    paths(list_notes, create_note, get_note, delete_note)
)]
pub struct Description;

/// The routes of the API.
pub fn router(notes: Notes) -> axum::Router {
    axum::Router::new()
        .route("/openapi.json", get(async || Json(Description::openapi())))
        .route("/notes", get(list_notes).post(create_note))
        .route("/notes/{id}", get(get_note).delete(delete_note))
        .with_state(notes)
}

/// List notes
#[utoipa::path(get, path = "/notes", params(Filter), responses((status = 200, body = [Note])))]
async fn list_notes(State(notes): State<Notes>, Query(filter): Query<Filter>) -> Json<Vec<Note>> {
    let notes = notes.lock().unwrap_or_else(PoisonError::into_inner);
    let word = filter.word.unwrap_or_default();
    Json(notes.values().filter(|note| note.text.contains(&word)).cloned().collect())
}

/// Write a note
#[utoipa::path(post, path = "/notes", request_body = NewNote, responses((status = 201, body = Note)))]
async fn create_note(
    State(notes): State<Notes>,
    headers: HeaderMap,
    Json(new): Json<NewNote>,
) -> (StatusCode, Json<Note>) {
    let mut notes = notes.lock().unwrap_or_else(PoisonError::into_inner);
    let id = notes.keys().next_back().map_or(1, |last| last + 1);
    let author = headers.get("x-author").and_then(|v| v.to_str().ok()).map(str::to_owned);
    let note = Note { id, text: new.text, author };
    notes.insert(id, note.clone());
    (StatusCode::CREATED, Json(note))
}

/// Get a note
#[utoipa::path(get, path = "/notes/{id}", params(("id" = u32, Path)), responses((status = 200, body = Note), (status = 404)))]
async fn get_note(
    State(notes): State<Notes>,
    Path(id): Path<u32>,
) -> Result<Json<Note>, StatusCode> {
    let notes = notes.lock().unwrap_or_else(PoisonError::into_inner);
    notes.get(&id).cloned().map(Json).ok_or(StatusCode::NOT_FOUND)
}

/// Delete a note
#[utoipa::path(delete, path = "/notes/{id}", params(("id" = u32, Path)), responses((status = 204), (status = 404)))]
async fn delete_note(State(notes): State<Notes>, Path(id): Path<u32>) -> StatusCode {
    let mut notes = notes.lock().unwrap_or_else(PoisonError::into_inner);
    notes.remove(&id).map_or(StatusCode::NOT_FOUND, |_| StatusCode::NO_CONTENT)
}
