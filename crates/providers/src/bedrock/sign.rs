//! Where requests go and who signs them. Lives as long as its model; what was found of the caller is kept until it expires.

use std::time::{Duration, SystemTime};

use aws_config::{BehaviorVersion, Region, SdkConfig};
use aws_credential_types::Credentials;
use aws_credential_types::provider::ProvideCredentials;
use aws_sigv4::http_request::{SignableBody, SignableRequest, SigningSettings, sign};
use aws_sigv4::sign::v4;
use aws_smithy_http_client::tls::{Provider, rustls_provider::CryptoMode};
use oncue_agent::{ModelError, ModelErrorKind};
use oncue_tools::BoxFuture;
use secrecy::ExposeSecret;
use tokio::sync::{Mutex, OnceCell};

use super::access::AwsAccess;
use crate::http::{Sign, Signed};
use crate::limits::CREDENTIALS_TIME_LEFT_MIN;

/// The service that signatures are for.
const SERVICE: &str = "bedrock";

/// What says who a caller is, for errors.
const PROVIDER: &str = "oncue";

/// Says where requests go and signs them.
pub(super) struct Signer {
    access: AwsAccess,
    /// Where requests go; empty for the vendor's own address in the region.
    base_url: String,
    /// Whether requests carry a key and need no signature.
    has_key: bool,
    /// What the vendor's own places say, once they were asked.
    found: OnceCell<SdkConfig>,
    credentials: Mutex<Option<Credentials>>,
}

impl Signer {
    pub(super) fn new(access: AwsAccess, base_url: String, has_key: bool) -> Self {
        Self { access, base_url, has_key, found: OnceCell::new(), credentials: Mutex::new(None) }
    }

    async fn request(&self, path: &str, body: &[u8]) -> Result<Signed, ModelError> {
        let region = self.region().await?;
        let base = match self.base_url.as_str() {
            "" => address(&region),
            base => base.to_owned(),
        };
        let url = format!("{base}{path}");
        if self.has_key {
            return Ok(Signed { url, headers: Vec::new() });
        }
        let credentials = self.credentials().await?;
        let headers = headers(&credentials, &region, &url, body, SystemTime::now())?;
        Ok(Signed { url, headers })
    }

    async fn region(&self) -> Result<String, ModelError> {
        if let Some(region) = &self.access.region {
            return Ok(region.clone());
        }
        let found = self.found().await.region().map(ToString::to_string);
        found.ok_or_else(|| {
            let what = "no AWS region is known: set the environment variable AWS_REGION";
            ModelError::new(ModelErrorKind::InvalidRequest, what)
        })
    }

    /// Returns who asks; what is about to expire is found anew.
    async fn credentials(&self) -> Result<Credentials, ModelError> {
        if let Some(keys) = &self.access.keys {
            let token = keys.token.as_ref().map(|token| token.expose_secret().to_owned());
            let (id, secret) = (keys.id.as_str(), keys.secret.expose_secret());
            return Ok(Credentials::new(id, secret, token, None, PROVIDER));
        }
        let mut kept = self.credentials.lock().await;
        if let Some(credentials) = kept.as_ref().filter(|kept| lasts(kept, SystemTime::now())) {
            return Ok(credentials.clone());
        }
        let not_found = || {
            let what = "no AWS credentials were found: set AWS_BEARER_TOKEN_BEDROCK, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or sign in with `aws sso login`";
            ModelError::new(ModelErrorKind::Authentication, what)
        };
        let provider = self.found().await.credentials_provider().ok_or_else(not_found)?;
        let credentials = provider.provide_credentials().await;
        let credentials = credentials.map_err(|error| not_found().with_source(error))?;
        *kept = Some(credentials.clone());
        Ok(credentials)
    }

    async fn found(&self) -> &SdkConfig {
        self.found.get_or_init(|| load(&self.access)).await
    }
}

impl Sign for Signer {
    fn sign<'a>(
        &'a self,
        path: &'a str,
        body: &'a [u8],
    ) -> BoxFuture<'a, Result<Signed, ModelError>> {
        Box::pin(self.request(path, body))
    }
}

/// Looks in the vendor's own places.
async fn load(access: &AwsAccess) -> SdkConfig {
    let http = aws_smithy_http_client::Builder::new()
        .tls_provider(Provider::Rustls(CryptoMode::Ring))
        .build_https();
    let mut loader = aws_config::defaults(BehaviorVersion::latest()).http_client(http);
    if let Some(profile) = &access.profile {
        loader = loader.profile_name(profile);
    }
    if let Some(region) = &access.region {
        loader = loader.region(Region::new(region.clone()));
    }
    loader.load().await
}

/// Returns the vendor's own address in a region.
fn address(region: &str) -> String {
    let domain = if region.starts_with("cn-") { "amazonaws.com.cn" } else { "amazonaws.com" };
    format!("https://bedrock-runtime.{region}.{domain}")
}

/// Says whether credentials last for one more request.
fn lasts(credentials: &Credentials, now: SystemTime) -> bool {
    let left = |expiry: SystemTime| expiry.duration_since(now).unwrap_or(Duration::ZERO);
    credentials.expiry().is_none_or(|expiry| left(expiry) > CREDENTIALS_TIME_LEFT_MIN)
}

/// Returns the headers that sign a request.
fn headers(
    credentials: &Credentials,
    region: &str,
    url: &str,
    body: &[u8],
    now: SystemTime,
) -> Result<Vec<(String, String)>, ModelError> {
    let identity = credentials.clone().into();
    let params = v4::SigningParams::builder()
        .identity(&identity)
        .region(region)
        .name(SERVICE)
        .time(now)
        .settings(SigningSettings::default())
        .build()
        .map_err(not_signed)?;
    let none = std::iter::empty();
    let request = SignableRequest::new("POST", url, none, SignableBody::Bytes(body));
    let signed = sign(request.map_err(not_signed)?, &params.into()).map_err(not_signed)?;
    let (instructions, _) = signed.into_parts();
    let headers = instructions.headers();
    Ok(headers.map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
}

fn not_signed(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> ModelError {
    let what = "failed to sign the request";
    ModelError::new(ModelErrorKind::InvalidRequest, what).with_source(error)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use aws_credential_types::Credentials;

    use super::{address, headers, lasts};

    #[test]
    fn a_request_is_signed_as_the_vendor_does() {
        // Worked out with the vendor's library for Python (botocore 1.44.8, `SigV4Auth`) at the same time.
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_796_040_000);
        let credentials = Credentials::new(
            "AKIDEXAMPLE",
            "wJalrXUtnFEMI/K7MDENG",
            Some("token".into()),
            None,
            "t",
        );
        let url = "https://bedrock-runtime.eu-west-1.amazonaws.com/model/us.anthropic.claude-x-v1%3A0/invoke";
        let headers = headers(&credentials, "eu-west-1", url, br#"{"a":1}"#, now).unwrap();
        let header = |wanted: &str| {
            headers.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str())
        };
        assert_eq!(header("x-amz-date"), Some("20261130T120000Z"));
        assert_eq!(header("x-amz-security-token"), Some("token"));
        assert_eq!(
            header("authorization"),
            Some(
                "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261130/eu-west-1/bedrock/aws4_request, SignedHeaders=host;x-amz-date;x-amz-security-token, Signature=5696e03b94c47eb3111ea39162aa1153a1bbef2938cb7955057491048dc8d9ab"
            )
        );
    }

    #[test]
    fn each_region_has_its_address() {
        assert_eq!(address("eu-west-1"), "https://bedrock-runtime.eu-west-1.amazonaws.com");
        assert_eq!(address("cn-north-1"), "https://bedrock-runtime.cn-north-1.amazonaws.com.cn");
    }

    #[test]
    fn credentials_are_found_anew_before_they_expire() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
        let until = |seconds: u64| {
            let expiry = now + Duration::from_secs(seconds);
            lasts(&Credentials::new("a", "b", None, Some(expiry), "t"), now)
        };
        assert!(until(61) && !until(60) && !until(0));
        assert!(lasts(&Credentials::new("a", "b", None, None, "t"), now));
    }
}
