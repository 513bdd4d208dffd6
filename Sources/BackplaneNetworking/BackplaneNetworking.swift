// BackplaneNetworking
