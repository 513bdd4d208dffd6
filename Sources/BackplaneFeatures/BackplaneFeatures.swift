// BackplaneFeatures
