# Signs a sign-up. SIGNUP_SECRET is the organization's secret, ff_ss_…
require "openssl"

def sign_signup(secret, click_id, email, expires_in_seconds = 3600)
  expires = Time.now.to_i + expires_in_seconds
  "#{expires}.#{OpenSSL::HMAC.hexdigest("SHA256", secret, "#{expires}.#{click_id}.#{email}")}"
end

click_id, email = ARGV
puts sign_signup(ENV.fetch("SIGNUP_SECRET"), click_id, email)
