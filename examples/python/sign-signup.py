"""Signs a sign-up. SIGNUP_SECRET is the organization's secret, ff_ss_…"""

import hashlib
import hmac
import os
import sys
import time


def sign_signup(secret, click_id, email, expires_in_seconds=3600):
    expires = int(time.time()) + expires_in_seconds
    content = f"{expires}.{click_id}.{email}".encode()
    return f"{expires}.{hmac.new(secret.encode(), content, hashlib.sha256).hexdigest()}"


click_id, email = sys.argv[1:]
print(sign_signup(os.environ["SIGNUP_SECRET"], click_id, email))
