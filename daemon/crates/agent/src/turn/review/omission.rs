//! What becomes of a call that leaves out what the person said: the brain is told once, and a call that it was shown is then
//! put right. Which calls leave something out is the gate's business.

use std::sync::Arc;

use crate::gate::{self, Admitted, Omission, Refusal, Said};
use crate::turn::Turn;
use loquat_decoder::language::spoken;

impl Turn {
    /// Turns a call away that leaves out what the person said. Of numbers the brain is told once, since they may stand in it
    /// in another form. A brain that was shown how to call, and calls as before, has its call put right.
    pub(super) fn refuse_omission(
        &mut self,
        admitted: Admitted,
        is_whole: bool,
    ) -> Result<Admitted, Refusal> {
        if !admitted.entry.tool.calculates {
            return Ok(admitted);
        }
        let calls = self.ledger.steps.iter().flat_map(|step| &step.calls);
        let earlier = calls
            .filter(|call| call.ok)
            .map(|call| gate::texts(&call.arguments));
        let said = Said {
            words: &self.resources.shared.heard.said,
            language: spoken(self.question.lang.as_deref()),
            earlier: &earlier.collect::<Vec<_>>(),
            examples: &admitted.entry.line,
            is_whole: is_whole && !self.review.omissions.numbers,
        };
        let Some(omission) = gate::omission(&admitted.arguments, &said) else {
            return Ok(admitted);
        };
        let mended = omission.mended(&admitted.arguments);
        if let Some(arguments) = mended.clone().filter(|_| self.review.omissions.shown) {
            let arguments = Arc::new(arguments);
            return Ok(Admitted {
                arguments,
                ..admitted
            });
        }
        self.review.omissions.shown |= mended.is_some();
        self.review.omissions.numbers |= matches!(omission, Omission::Numbers(_) | Omission::Copied(_));
        self.review.has_to_calculate = matches!(
            omission,
            Omission::Percent(_) | Omission::Sign(_) | Omission::Date(_)
        );
        Err(Refusal {
            text: omission.told(&admitted.arguments),
            mistake: true,
        })
    }
}
