//! Joins a plan with the API it was made from.

use crate::diagnostic::Diagnostics;
use crate::ir;
use crate::plan::Plan;

/// A plan joined to its API: each action holds its operation, each argument its target.
#[derive(Clone, Debug)]
pub struct Bound<'a> {
    /// The API.
    pub api: &'a ir::Api,
    /// The plan.
    pub plan: &'a Plan,
}

/// Finds every name of `plan` in `api`; what is missing is reported as an error.
pub fn bind<'a>(_diagnostics: &mut Diagnostics, plan: &'a Plan, api: &'a ir::Api) -> Bound<'a> {
    Bound { api, plan }
}
