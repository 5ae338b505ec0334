//! Queries that are no single parameters: those written into a path, and `in: querystring`.

use super::lower::{Lowerer, Spot};
use super::parameter::Parameters;
use crate::diagnostic::reading;
use crate::ir::{Location, Parameter, Schema, Style, split_path};
use crate::source::{Node, Value};

/// The media type of a query that is described by a schema alone.
const FORM: &str = "application/x-www-form-urlencoded";

impl<'a> Lowerer<'a, '_> {
    /// Makes parameters with one value of a query that stands in a path, so that it is sent.
    pub(super) fn fixed_query(
        &mut self,
        parameters: &mut Parameters<'a>,
        path: &str,
        spot: &Spot<'a>,
    ) {
        let (_, query) = split_path(path);
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let key = (Location::Query, name.to_owned());
            if parameters.list.contains_key(&key) {
                continue;
            }
            // A value in braces is a parameter, and it goes into the query, whatever its place says.
            let place = value.strip_prefix('{').and_then(|value| value.strip_suffix('}'));
            if let Some(place) = place {
                let declared = parameters.list.shift_remove(&(Location::Path, place.to_owned()));
                if let Some(declared) = declared {
                    let style = Style::Form;
                    let name = name.to_owned();
                    let moved = Parameter { location: Location::Query, name, style, ..declared };
                    parameters.list.insert(key, moved);
                    continue;
                }
                let message = format!(
                    "`{{{place}}}` in the query of the path is not declared; it is taken as required text"
                );
                self.report(&reading::UNDECLARED_PATH_PARAMETER, spot, message);
            }
            let node = Node { value: Value::String(value.to_owned()), ..spot.node.clone() };
            let mut schema =
                Schema { at: spot.node.key, pointer: spot.pointer.clone(), ..Schema::default() };
            schema.types.string = true;
            schema.values = place.is_none().then(|| vec![node]);
            let schema = self.made_schema(schema);
            let parameter = Parameter {
                name: name.to_owned(),
                location: Location::Query,
                required: true,
                deprecated: false,
                description: None,
                schema,
                style: Style::Form,
                explode: true,
                allow_reserved: false,
                allow_empty: false,
                media_type: None,
                example: None,
                hint_name: None,
                argument: false,
                at: spot.node.key,
                pointer: spot.pointer.clone(),
            };
            parameters.list.insert(key, parameter);
        }
    }

    /// Holds `querystring` parameters to the rules of OpenAPI 3.2 ("Parameter Object"): one at most,
    /// none beside `query` parameters, and always with `content`.
    pub(super) fn query_strings(&mut self, parameters: &mut Parameters<'a>) {
        let whole = |p: &Parameter| p.location == Location::QueryString;
        if !parameters.list.values().any(whole) {
            return;
        }
        let single = parameters.list.values().any(|p| p.location == Location::Query);
        let mut first = true;
        parameters.list.retain(|_, parameter| {
            if !whole(parameter) {
                return true;
            }
            let name = &parameter.name;
            let message = if single {
                format!("`querystring` parameter `{name}` cannot stand beside `query` parameters; it is left out")
            } else if first {
                first = false;
                return true;
            } else {
                format!("an operation has one `querystring` parameter; `{name}` is left out")
            };
            self.diagnostics.report(
                &reading::UNUSABLE_PARAMETER,
                Some(parameter.at),
                parameter.pointer.clone(),
                message,
            );
            false
        });
        for parameter in parameters.list.values_mut().filter(|p| whole(p) && p.media_type.is_none())
        {
            self.diagnostics.report(
                &reading::MISPLACED_SCHEMA,
                Some(parameter.at),
                parameter.pointer.clone(),
                format!(
                    "`querystring` parameter `{}` needs `content`; `{FORM}` is taken",
                    parameter.name
                ),
            );
            parameter.media_type = Some(FORM.to_owned());
        }
    }
}
