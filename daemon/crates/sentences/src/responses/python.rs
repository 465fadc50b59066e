//! What templates use of Python and Rust's engine lacks: colons, lists that grow, and a few methods. Reaches no files.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use minijinja::value::{Enumerator, Object, ObjectRepr, Serde};
use minijinja::{Environment, Error, ErrorKind, State, Value};
use minijinja_contrib::pycompat::unknown_method_callback;
use serde_json::Value as Json;

/// No list of an answer has more values.
const LONGEST_LIST: usize = 1_000;

/// An engine with those methods.
pub(super) fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_unknown_method_callback(method);
    environment.add_function("growing", || Value::from_object(Growing::default()));
    environment
}

/// A template in the form that this engine reads: no colon ends a statement, and an empty list that is given a name may grow.
pub(super) fn as_read_here(text: &str) -> String {
    let mut read = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("%}") {
        let (statement, dash) = before
            .strip_suffix('-')
            .map_or((before, ""), |statement| (statement, "-"));
        let trimmed = statement.trim_end();
        read.push_str(trimmed.strip_suffix(':').unwrap_or(statement));
        for end in [" ", dash, "%}"] {
            read.push_str(end);
        }
        rest = after;
    }
    read.push_str(rest);
    if read.contains(".append(") {
        read.replace("= []", "= growing()").replace("=[]", "=growing()")
    } else {
        read
    }
}

/// What is known of a thing by its identifier and the name of the attribute.
pub(super) fn state_attr(attributes: BTreeMap<String, Json>) -> Value {
    Value::from_function(move |entity: &str, name: &str| {
        let known = attributes.get(entity).and_then(|all| all.get(name));
        known.map_or_else(|| Value::from(()), |known| Value::from(Serde(known)))
    })
}

fn method(state: &mut State<'_, '_>, value: &Value, method: &str, args: &[Value]) -> Result<Value, Error> {
    match (method, args) {
        ("weekday", []) => value.get_attr("weekday"),
        ("is_integer", []) if value.is_number() => Ok(Value::from(is_whole(value))),
        ("fromkeys", [keys, ..]) => {
            let pairs: BTreeMap<Value, Value> = keys.try_iter()?.map(|key| (key, Value::from(()))).collect();
            Ok(Value::from(pairs))
        }
        _ => unknown_method_callback(state, value, method, args),
    }
}

fn is_whole(value: &Value) -> bool {
    f64::try_from(value.clone()).is_ok_and(|number| number.fract() == 0.0)
}

/// A list that grows while a template is filled.
#[derive(Debug, Default)]
struct Growing(Mutex<Vec<Value>>);

impl Growing {
    fn values(&self) -> std::sync::MutexGuard<'_, Vec<Value>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Object for Growing {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Seq
    }

    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        self.values().get(key.as_usize()?).cloned()
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Seq(self.values().len())
    }

    fn call_method(
        self: &Arc<Self>,
        _: &mut State<'_, '_>,
        method: &str,
        args: &[Value],
    ) -> Result<Value, Error> {
        let [value] = args else {
            return Err(Error::from(ErrorKind::UnknownMethod));
        };
        let mut values = self.values();
        if method != "append" || values.len() >= LONGEST_LIST {
            return Err(Error::from(ErrorKind::UnknownMethod));
        }
        // A list that held itself would never end.
        if value.downcast_object_ref::<Self>().is_none() {
            values.push(value.clone());
        }
        Ok(Value::from(()))
    }
}
