//! Who asks AWS, and where. Data alone; nothing is looked up before a model is asked.

use std::fmt;

use secrecy::SecretString;

/// Who asks AWS, and in which region.
///
/// What is not said is found where the vendor's own programs look: the environment, profiles, single sign-on, the machine's role.
///
/// ```
/// use oncue_providers::AwsAccess;
///
/// let access = AwsAccess::default().with_region("eu-west-1").with_keys("AKIA1", "secret", None);
/// assert!(!format!("{access:?}").contains("secret"));
/// ```
#[derive(Clone, Default)]
pub struct AwsAccess {
    pub(super) region: Option<String>,
    pub(super) profile: Option<String>,
    pub(super) keys: Option<Keys>,
}

/// Keys that were given.
#[derive(Clone)]
pub(super) struct Keys {
    pub(super) id: String,
    pub(super) secret: SecretString,
    pub(super) token: Option<SecretString>,
}

impl AwsAccess {
    /// Returns the access to another region.
    #[must_use]
    pub fn with_region(self, region: impl Into<String>) -> Self {
        Self { region: Some(region.into()), ..self }
    }

    /// Returns the access by a profile of this name.
    #[must_use]
    pub fn with_profile(self, profile: impl Into<String>) -> Self {
        Self { profile: Some(profile.into()), ..self }
    }

    /// Returns the access by a pair of keys, and the token of their session where they have one.
    #[must_use]
    pub fn with_keys(
        self,
        id: impl Into<String>,
        secret: impl Into<String>,
        session_token: Option<String>,
    ) -> Self {
        let keys = Keys {
            id: id.into(),
            secret: SecretString::from(secret.into()),
            token: session_token.map(SecretString::from),
        };
        Self { keys: Some(keys), ..self }
    }
}

impl fmt::Debug for AwsAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AwsAccess")
            .field("region", &self.region)
            .field("profile", &self.profile)
            .field("keys", &self.keys.as_ref().map(|_| "…"))
            .finish()
    }
}
