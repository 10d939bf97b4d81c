//! The profile that was asked for.

use oncue_agent::Profile;

use crate::args::{ProfileArg, ProfileArgs};

/// Returns the profile of this name with the settings that override it; `known` is what is known of the model.
pub(super) fn profile(args: &ProfileArgs, known: Option<Profile>) -> Profile {
    let base = match args.profile {
        ProfileArg::Auto => known.unwrap_or_default(),
        ProfileArg::Default => Profile::DEFAULT,
        ProfileArg::Weak => Profile::WEAK,
    };
    Profile {
        preload: args.preload.unwrap_or(base.preload),
        names_chars: args.names.unwrap_or(base.names_chars),
        narrows: args.narrow.unwrap_or(base.narrows),
        collapses: args.collapse.unwrap_or(base.collapses),
        recovers: args.recover.unwrap_or(base.recovers),
        insists: args.insist.unwrap_or(base.insists),
        searches: args.searches.unwrap_or(base.searches),
        ..base
    }
}

#[cfg(test)]
mod tests {
    use oncue_agent::Profile;

    use super::profile;
    use crate::args::{ProfileArg, ProfileArgs};

    #[test]
    fn single_settings_override_the_profile() {
        let typed = ProfileArgs {
            profile: ProfileArg::Weak,
            preload: Some(0),
            names: Some(100),
            narrow: Some(false),
            collapse: None,
            recover: None,
            insist: None,
            searches: Some(3),
        };
        let expected = Profile {
            preload: 0,
            names_chars: 100,
            narrows: false,
            collapses: true,
            recovers: true,
            insists: true,
            is_short_on_repeats: true,
            searches: 3,
        };
        assert_eq!(profile(&typed, None), expected);
        let typed = ProfileArgs { profile: ProfileArg::Auto, recover: Some(false), ..typed };
        let expected = Profile { recovers: false, ..expected };
        assert_eq!(profile(&typed, Some(Profile::WEAK)), expected);
    }
}
