// CampusModels
