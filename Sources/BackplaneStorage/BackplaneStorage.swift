// BackplaneStorage
